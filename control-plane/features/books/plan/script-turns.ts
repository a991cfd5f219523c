// Parses a manuscript in turns of the event loop.
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { scriptSteps } from '#shared/text/script/script.ts'
import type { Chapter } from '#shared/text/script/span.ts'

/** Same as `scriptSteps`, in turns of the event loop. */
export async function parseScriptInTurns(written: string, mostChapters?: number): Promise<Chapter[]> {
  const steps = scriptSteps(written, mostChapters)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await nextTurn()
  }
}
