// Runs an engine in this process and collects its output.
import type { Engine, EngineEvent } from '#agent/engine/seam/engine.ts'
import type { TtsResult } from '#shared/operations/tts.ts'

export type Said = { readonly events: EngineEvent[]; readonly parts: Float32Array[]; readonly result: TtsResult }

export async function say(engine: Engine, params: object, signal = new AbortController().signal): Promise<Said> {
  const events: EngineEvent[] = []
  for await (const event of engine.run('tts', params, signal)) events.push(event)
  const last = events.at(-1)
  if (last?.kind !== 'result') throw new Error('a run ends with its result')
  const result = last.result as TtsResult
  const parts = result.parts.map((_, part) =>
    Float32Array.from(events.flatMap((event) => (event.kind === 'audio' && event.part === part ? [...event.samples] : []))),
  )
  return { events, parts, result }
}
