// The end of a recording in streaming models, by the real library: no length of a recording loses its last sound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSherpa } from '#agent/engine/runtimes/sherpa/library.ts'
import { recogniserPlan, SHERPA_MODELS, SHERPA_SAMPLE_RATE } from '#agent/engine/runtimes/sherpa/models.ts'
import { createRecogniserCache } from '#agent/engine/runtimes/sherpa/recogniser-cache.ts'
import { filesIn } from '../onnx/folder.ts'
import { plantedParaformer } from './planted-paraformer.ts'
import { plantedStreaming } from './planted-streaming.ts'

const { signal } = new AbortController()
const OF_A_KIND = [
  { kind: 'online-paraformer', files: plantedParaformer },
  { kind: 'online-transducer', files: plantedStreaming },
] as const
/** Loud in all bands, until its last sample. */
const noise = (samples: number) => Float32Array.from({ length: samples }, (_, at) => 0.4 * Math.sin(at * 0.9) * Math.sin(at * at * 3e-4))

test('each kind of streaming model has a planted network here', () => {
  const kinds = new Set(SHERPA_MODELS.map(({ kind }) => kind).filter((kind) => kind.startsWith('online')))
  assert.deepEqual([...kinds].sort(), OF_A_KIND.map(({ kind }) => kind).sort())
})

for (const { kind, files: planted } of OF_A_KIND) {
  test(`${kind}: more silence after the end gives no further token, for 24 lengths`, async (t) => {
    const model = SHERPA_MODELS.find((one) => one.kind === kind)!
    const files = filesIn(t, planted())
    const library = await loadSherpa()
    const cache = createRecogniserCache(
      async () => library,
      async () => {},
    )
    const recogniser = await cache.open(model, files)
    const online = library.online(recogniserPlan(model, files).config)
    const withLongSilence = (samples: Float32Array): string[] => {
      const stream = online.createStream()
      for (const sound of [samples, new Float32Array(2 * SHERPA_SAMPLE_RATE)])
        stream.acceptWaveform({ samples: sound, sampleRate: SHERPA_SAMPLE_RATE })
      stream.inputFinished()
      while (online.isReady(stream)) online.decode(stream)
      return (online.getResult(stream) as { tokens: string[] }).tokens
    }
    for (let milliseconds = 1_000; milliseconds < 2_200; milliseconds += 50) {
      const samples = noise((milliseconds * SHERPA_SAMPLE_RATE) / 1_000)
      const { tokens } = await recogniser.recognise(samples, { language: null, isPartial: false }, signal)
      const all = withLongSilence(samples)
      assert.ok(all.length > 0)
      assert.deepEqual(tokens, all, `${milliseconds} ms`)
    }
  })
}
