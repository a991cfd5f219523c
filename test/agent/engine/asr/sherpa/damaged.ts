// Damaged files of dictation models, which would end the process of the library.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import type { TestContext } from 'node:test'
import { sherpaOnnx } from '#agent/engine/asr/sherpa/engine.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { asAudio, eventsOf } from '#test/agent/engine/audio/recording.ts'
import { segmentation } from '#test/agent/engine/diarize/pyannote/planted.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { decoder, encoder, joiner, tokens } from '#test/agent/engine/runtimes/sherpa/planted.ts'
import { plantedWhisper, whisperEncoder } from '#test/agent/engine/runtimes/sherpa/planted-whisper.ts'

const { signal } = new AbortController()
export const PARAKEET = 'parakeet-tdt-v3'
export const planted = () => ({
  'encoder.int8.onnx': encoder(),
  'decoder.int8.onnx': decoder(),
  'joiner.int8.onnx': joiner(),
  'tokens.txt': Buffer.from(tokens),
})
export const only = (model: string, files: ReadonlyMap<string, string>) => ({
  filesOf: (_engine: string, name: string) => (name === model ? files : null),
})

/** Each case starts a process. One of each kind comes first: not readable, of another kind, without tokens, streaming, and missing. */
export async function rejectsDamaged(t: TestContext, most = Number.POSITIVE_INFINITY): Promise<void> {
  const zip = Buffer.from('PK\u0003\u0004 not a graph')
  const offline = { ...planted() }
  const streaming = { 'encoder.int8.onnx': encoder(), 'decoder.onnx': decoder(), 'joiner.int8.onnx': joiner(), 'tokens.txt': tokens }
  const broken: [string, Record<string, Uint8Array | string>, RegExp][] = [
    [PARAKEET, { ...offline, 'encoder.int8.onnx': encoder().subarray(0, 300) }, /encoder/],
    [PARAKEET, { ...offline, 'encoder.int8.onnx': segmentation() }, /metadata/],
    [PARAKEET, { ...offline, 'tokens.txt': '' }, /token/i],
    ['zipformer-en-20m', { ...streaming, 'encoder.int8.onnx': zip }, /encoder/],
    [PARAKEET, { 'tokens.txt': tokens }, /encoder.*missing/],
    [PARAKEET, { ...offline, 'joiner.int8.onnx': zip }, /joiner/],
    ['zipformer-en-20m', { ...streaming, 'encoder.int8.onnx': segmentation() }, /./],
    ['whisper-tiny', { 'tiny-encoder.int8.onnx': encoder(), 'tiny-decoder.int8.onnx': zip, 'tiny-tokens.txt': tokens }, /./],
    ['whisper-tiny', { ...plantedWhisper(), 'tiny-encoder.int8.onnx': whisperEncoder().subarray(0, 300) }, /encoder/],
    ['paraformer-bilingual-zh-en', { 'encoder.int8.onnx': encoder(), 'decoder.int8.onnx': decoder(), 'tokens.txt': tokens }, /metadata/],
  ]
  for (const [model, files, words] of broken.slice(0, most)) {
    const engine = sherpaOnnx.create(only(model, filesIn(t, files)))
    const failure = await eventsOf(engine.run('asr', {}, signal, asAudio(new Float32Array(16_000)), model)).catch((error: Failure) => error)
    assert.ok(!Array.isArray(failure), `${model} was opened`)
    assert.deepEqual([failure.code, words.test(failure.message)], ['MODEL_NOT_DOWNLOADED', true], `${model}: ${failure.message}`)
    assert.ok(/[Dd]ownload/.test(failure.message) && !failure.message.includes(tmpdir()), failure.message)
  }
}
