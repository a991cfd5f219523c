// The text and the voice prompts of Pocket-TTS against pocket-tts 4.0.1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replacedIn } from '#agent/engine/tts/pockettts/languages.ts'
import { withEndingPause } from '#agent/engine/tts/pockettts/prompt.ts'
import { preparedText } from '#agent/engine/tts/pockettts/text.ts'
import { golden } from './golden.ts'

const CODES: Readonly<Record<string, string>> = {
  english: 'en',
  french: 'fr',
  german: 'de',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
}
type TextCase = {
  readonly language: string
  readonly text: string
  readonly remove_semicolons: boolean
  readonly pad: boolean
  readonly prepared: string
  readonly frames_after_eos: number
}
type PauseCase = { readonly case: string; readonly samples: number; readonly result_samples: number; readonly kept: number }

test('a text is prepared as by the reference, in six languages', () => {
  const cases = golden<TextCase[]>('pocket-text.json')
  assert.equal(cases.length, 30)
  for (const { language, text, remove_semicolons, pad, prepared, frames_after_eos } of cases) {
    const rules = { remove_semicolons, pad_with_spaces_for_short_inputs: pad, model_recommended_frames_after_eos: null }
    assert.deepEqual(
      preparedText(text, rules, replacedIn(CODES[language]!)),
      { text: prepared, tail: frames_after_eos },
      `${language}: ${text}`,
    )
  }
})

const RATE = 24_000
/** Amplitude at a second, by the name of the case. */
const ENVELOPES: Readonly<Record<string, (second: number) => number>> = {
  'ends on speech': () => 1,
  'ends on 0.4 s of silence': (second) => (second < 1 ? 1 : 0),
  'fades out': (second) => (second < 1 ? 1 : Math.max(0, 1 - (second - 1) / 0.1)),
  'quiet hum at the end, 40 dB below': (second) => (second < 0.9 ? 1 : 0.01),
}

test('the recording of a voice ends in a pause where the reference ends it', () => {
  const { cases, pause_samples, fade_samples } = golden<{ cases: PauseCase[]; pause_samples: number; fade_samples: number }>(
    'pocket-pause.json',
  )
  for (const { case: name, samples, result_samples, kept } of cases) {
    const recording = Float32Array.from(
      { length: samples },
      (_, at) => 0.3 * Math.sin((2 * Math.PI * 200 * at) / RATE) * ENVELOPES[name]!(at / RATE),
    )
    const ended = withEndingPause(recording, RATE)
    assert.equal(ended.length, result_samples, name)
    assert.equal(kept, result_samples - pause_samples)
    assert.deepEqual(ended.subarray(0, kept - fade_samples), recording.subarray(0, kept - fade_samples), name)
    assert.ok(
      ended.subarray(kept - 1).every((sample) => sample === 0),
      name,
    )
    for (let at = kept - fade_samples; at < kept; at++) {
      const expected = recording[at]! * (1 - (at - kept + fade_samples) / (fade_samples - 1))
      assert.ok(Math.abs(ended[at]! - expected) < 1e-7, `${name}: ${at}`)
    }
  }
})

test('the end of a voice prompt has no edge: nothing, one sample, silence', () => {
  for (const length of [0, 1, 100]) assert.equal(withEndingPause(new Float32Array(length), RATE).length, length)
  assert.equal(withEndingPause(new Float32Array(RATE), RATE).length, RATE + 1_920)
})
