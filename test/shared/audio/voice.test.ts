// The pitch and the level of voices, on tones that are known and on real voices.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { speechLevel } from '#shared/audio/voice/level.ts'
import { medianPitch, pitchesOf } from '#shared/audio/voice/pitch.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'

const RATE = 16_000
const espeak = findProgram('espeak-ng', process.env['PATH'])
const withEspeak = { skip: espeak ? false : 'espeak-ng is not on PATH' }
/** A tone with harmonics, as voices have them; the fundamental is the weakest. */
const tone = (hz: number, seconds = 0.5, gain = 0.2) =>
  Float32Array.from({ length: seconds * RATE }, (_, at) => {
    const angle = (2 * Math.PI * hz * at) / RATE
    return gain * (0.2 * Math.sin(angle) + 0.6 * Math.sin(2 * angle) + 0.4 * Math.sin(3 * angle))
  })

test('the pitch of a tone is found within half a percent, also without a strong fundamental', () => {
  for (const hz of [70, 95.3, 120, 180, 233.1, 320, 440]) {
    const found = medianPitch(tone(hz), RATE)!
    assert.ok(Math.abs(found / hz - 1) < 0.005, `${found} for ${hz}`)
  }
  const plain = Float32Array.from({ length: RATE }, (_, at) => Math.sin((2 * Math.PI * 150 * at) / RATE))
  assert.ok(Math.abs(medianPitch(plain, RATE)! - 150) < 1)
})

test('noise, silence and very short sound have no pitch', () => {
  let state = 1
  const noise = Float32Array.from({ length: RATE }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 31 - 1
  })
  assert.equal(medianPitch(noise, RATE), null)
  assert.equal(medianPitch(new Float32Array(RATE), RATE), null)
  assert.equal(medianPitch(tone(150, 0.05), RATE), null)
  assert.deepEqual(pitchesOf(new Float32Array(0), RATE), [])
})

test('higher settings of a real voice are found as higher pitches', withEspeak, () => {
  const spoken = (pitch: number, voice: string) => {
    const wav = execFileSync(espeak!, ['--stdout', '-v', voice, '-p', String(pitch), 'Good morning to everybody in the old town hall.'])
    const { samples, sampleRate } = parseWav(wav)
    return medianPitch(samples, sampleRate)!
  }
  const [low, middle, high] = [spoken(20, 'en'), spoken(50, 'en'), spoken(90, 'en')]
  assert.ok(low > 60 && low < middle && middle < high && high < 350, `${low} ${middle} ${high}`)
  assert.ok(spoken(50, 'en+f3') > middle * 1.2)
})

test('the level of speech is that of its loud parts', () => {
  const level = speechLevel(tone(150), RATE)!
  const withPauses = new Float32Array(RATE * 2)
  withPauses.set(tone(150), RATE)
  assert.ok(Math.abs(speechLevel(withPauses, RATE)! - level) < 0.2)
  assert.ok(Math.abs(speechLevel(tone(150, 0.5, 0.1), RATE)! - (level - 6.02)) < 0.05)
  assert.equal(speechLevel(new Float32Array(RATE), RATE), null)
  assert.equal(speechLevel(new Float32Array(0), RATE), null)
})
