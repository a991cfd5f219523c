import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadTransformers } from '#agent/engine/runtimes/transformers/library.ts'
import { createLogMel } from '#agent/engine/runtimes/transformers/whisper-features.ts'
import { join, noise, spoken } from '#test/agent/engine/audio/recording.ts'

type Extractor = {
  (samples: Float32Array): Promise<{ input_features: { data: Float32Array } }>
  readonly config: { readonly mel_filters: Float32Array[] }
}
const SETTINGS = { feature_size: 80, n_fft: 400, hop_length: 160, chunk_length: 30, n_samples: 480_000, nb_max_frames: 3000, sampling_rate: 16_000 } // biome-ignore format: one line

test('the features are those of the library, for sound of any length', async () => {
  const { WhisperFeatureExtractor } = (await loadTransformers()) as unknown as {
    WhisperFeatureExtractor: new (config: object) => Extractor
  }
  const [sentence] = await spoken(['The committee postponed its decision until the following Thursday.'])
  const long = noise(480_000, 0.1, 1)
  for (const mels of [80, 128]) {
    const extractor = new WhisperFeatureExtractor({ ...SETTINGS, feature_size: mels })
    const logMel = createLogMel(extractor.config.mel_filters, 3000)
    for (const samples of [
      sentence!,
      join([sentence!, new Float32Array(801), sentence!]),
      long,
      long.subarray(0, 479_999),
      long.subarray(0, 3),
    ]) {
      const [own, expected] = [logMel(samples), (await extractor(samples)).input_features.data]
      assert.equal(own.length, expected.length)
      const difference = own.reduce((most, value, at) => Math.max(most, Math.abs(value - expected[at]!)), 0)
      assert.ok(difference < 1e-5, `${difference} with ${mels} bands and ${samples.length} samples`)
    }
  }
})
