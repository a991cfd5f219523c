// Parses a manuscript in turns of the event loop.
import { setImmediate as turn } from 'node:timers/promises'
import { type Chapter, scriptSteps } from '#shared/text/script/script.ts'

/** Same as `scriptSteps`, in turns of the event loop. */
export async function parseScriptInTurns(written: string, mostChapters?: number): Promise<Chapter[]> {
  const steps = scriptSteps(written, mostChapters)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await turn()
  }
}
