// Segments of speech against silero-vad 6.2.3, on the probabilities of two recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSpeechSegments } from '#agent/engine/vad/silero/segments.ts'
import { golden } from './golden.ts'

type StampCase = {
  readonly file: string
  readonly threshold: number
  readonly silence_threshold?: number
  readonly min_speech_ms: number
  readonly min_silence_ms: number
  readonly pad_ms: number
  readonly samples: number
  readonly stamps: readonly (readonly [start: number, end: number])[]
}
const RATE = 16_000
const WINDOW = 512

test('speech begins and ends at the sample of the reference, with three settings', () => {
  const probabilities = golden<Record<string, number[]>>('silero-probabilities.json')
  const cases = golden<readonly StampCase[]>('silero-stamps.json')
  assert.equal(cases.length, 6)
  for (const { file, threshold, silence_threshold, min_speech_ms, min_silence_ms, pad_ms, samples, stamps } of cases) {
    const segments = toSpeechSegments(probabilities[file]!, WINDOW / RATE, samples / RATE, {
      threshold,
      silenceThreshold: silence_threshold ?? threshold - 0.15,
      minSpeechMs: min_speech_ms,
      minSilenceMs: min_silence_ms,
      padMs: pad_ms,
    })
    assert.deepEqual(
      segments.map(({ start, end }) => [Math.round(start * RATE), Math.round(end * RATE)]),
      stamps,
      `${file} at ${threshold}`,
    )
  }
})
