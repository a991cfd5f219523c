// Runs a tiny OmniVoice for tests and collects its output.

import assert from 'node:assert/strict'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineEvent, RunInputs } from '#agent/engine/seam/engine.ts'
import { omniVoice } from '#agent/engine/tts/omnivoice/engine.ts'
import { concat } from '#shared/audio/stage.ts'
import type { TtsResult } from '#shared/operations/tts.ts'
import type { Tiny } from './tiny.ts'

export const engineOf = ({ filesOf }: Pick<Tiny, 'filesOf'>) => omniVoice.create({ filesOf, open: openGraph, device: 'cpu' })
type Engine = ReturnType<typeof engineOf>
type Taken = { parts: Float32Array[]; result: TtsResult; events: EngineEvent[] }

export async function take(engine: Engine, params: object, inputs?: RunInputs, signal = new AbortController().signal): Promise<Taken> {
  const events: EngineEvent[] = []
  for await (const event of engine.run('tts', params, signal, inputs)) events.push(event)
  const last = events.at(-1)!
  assert.equal(last.kind, 'result')
  const result = (last as { result: unknown }).result as TtsResult
  const parts = result.parts.map((_, part) => concat(events.flatMap((e) => (e.kind === 'audio' && e.part === part ? [e.samples] : []))))
  return { parts, result, events }
}
/** Quick, and without what is done to the sound afterwards. */
export const plain = (text: string, more: object = {}) => ({
  segments: [{ text, seed: 7 }],
  postprocess_output: false,
  num_step: 4,
  ...more,
})
export const refused = (code: string, words: RegExp) => (error: Error & { code?: string }) =>
  error.code === code && words.test(error.message)
