// Runs an engine in this process and collects its output.
import assert from 'node:assert/strict'
import type { Engine, EngineEvent } from '#agent/engine/seam/engine.ts'
import { defaultVoiceOf } from '#control-plane/inference/offers.ts'
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

/** The voice that speaks without a named one is the one that the engine declares, in every language that it lists and without a language. */
export async function speaksAsDeclared(engine: Engine, text: string, languages?: readonly string[]): Promise<void> {
  const [described] = engine.describe()
  assert.ok(described && described.voices.length > 0)
  const voices = described.voices.map(({ defaultFor = [], ...voice }) => ({ ...voice, default_for: defaultFor }))
  for (const language of languages ?? [null, ...described.languages]) {
    const { result } = await say(engine, { segments: [{ text }], language: language === '' ? null : language })
    assert.equal(result.voice, defaultVoiceOf(voices, language)?.id, `in the language ${language}`)
  }
}
