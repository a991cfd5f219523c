// Damaged files of a recogniser, which would end the process of the library.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import type { TestContext } from 'node:test'
import { languageIdentifier } from '#agent/engine/identify/whisper/engine.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { plantedWhisper, whisperEncoder } from '#test/agent/engine/runtimes/sherpa/planted-whisper.ts'

export const MODEL = 'whisper-tiny'
export const open = (t: TestContext, more: Partial<Record<keyof ReturnType<typeof plantedWhisper>, Uint8Array | string>> = {}) => {
  const files = filesIn(t, { ...plantedWhisper(), ...more })
  return languageIdentifier.create({ filesOf: (engine, model) => (engine === 'sherpa-onnx-asr' && model === MODEL ? files : null) })
}

/** Each case starts a process. One of each kind comes first: not readable, of another kind, and graphs that do not fit each other. */
export async function rejectsDamaged(t: TestContext, most = Number.POSITIVE_INFINITY): Promise<void> {
  const encoder = 'tiny-encoder.int8.onnx'
  const decoder = 'tiny-decoder.int8.onnx'
  const broken: [Parameters<typeof open>[1], RegExp][] = [
    [{ [encoder]: whisperEncoder().subarray(0, 200) }, /encoder/],
    [{ [encoder]: whisperEncoder({ is_multilingual: 0 }) }, /multilingual/],
    [{ [encoder]: whisperEncoder({ n_text_state: 3 }) }, /names no language: .*dimensions/],
    [{ [decoder]: 'PK\u0003\u0004 a zip' }, /decoder/],
    [{ [encoder]: '' }, /./],
    [{ [encoder]: whisperEncoder({ all_language_codes: ['de'] }) }, /lang/],
    [{ [encoder]: whisperEncoder({ model_type: 'zipformer' }) }, /model type/],
    [{ [decoder]: whisperEncoder() }, /names no language/],
  ]
  for (const [more, words] of broken.slice(0, most)) {
    const engine = open(t, more)
    const failure = await engine.load(MODEL).catch((error: Failure) => error)
    assert.ok(failure, 'it was opened')
    assert.deepEqual([failure.code, words.test(failure.message)], ['MODEL_NOT_DOWNLOADED', true], failure.message)
    assert.ok(/Download it again/.test(failure.message) && !failure.message.includes(tmpdir()), failure.message)
  }
}
