import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileFlite, FLITE_SAMPLE_RATE, findFliteVoice, speakWithFlite } from '#agent/engine/tts/flite/synthesis.ts'
import { kaiser, sinc } from '#shared/audio/kaiser.ts'
import {
  canLimit,
  correctedLevel,
  createLevelStage,
  firstLevel,
  type Level,
  LOUDNESS_TARGETS,
  type LoudnessTarget,
  MAX_CORRECTIONS,
} from '#shared/audio/master/chapter.ts'
import { createHistogramMeter, emptyHistogram, integratedLoudness } from '#shared/audio/master/histogram.ts'
import { createLimiter, createLimiterGain } from '#shared/audio/master/limiter.ts'
import { createPeakScan, createTruePeakMeter, PEAK_DELAY } from '#shared/audio/master/true-peak.ts'
import { createTruePeakLimiter } from '#shared/audio/master/true-peak-limiter.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { concat } from '#shared/audio/stage.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { assertSameSamples } from '#test/support/audio/sound.ts'
import { atOnce, inPieces, peakOf, seeded, speech, tone } from '../signal.ts'

const ffmpeg = findProgram('ffmpeg', process.env['PATH'])
const withFfmpeg = { skip: ffmpeg ? false : 'ffmpeg is not on PATH' }
const RATE = 16_000

const near = (actual: number | null, expected: number, tolerance: number, what = '') =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${what} ${actual} instead of ${expected}`)
const db = (factor: number) => 20 * Math.log10(factor)

function measure(samples: Float32Array, sampleRate: number) {
  const meter = createHistogramMeter(sampleRate)
  const peaks = createTruePeakMeter()
  meter.push(samples)
  peaks.push(samples)
  const histogram = meter.finish()
  return { histogram, loudness: integratedLoudness(histogram), peak: peaks.finish() }
}

/** Masters a chapter as the studio does: a level from the histogram, and corrections by measuring. */
function master(samples: Float32Array, sampleRate: number, target: LoudnessTarget): { mastered: Float32Array; level: Level } {
  let level = firstLevel(measure(samples, sampleRate).histogram, target)
  let mastered = atOnce(createLevelStage(level, sampleRate), samples)
  for (let i = 0; i < MAX_CORRECTIONS; i++) {
    const next = correctedLevel(level, measure(mastered, sampleRate).histogram, target)
    if (!next) break
    level = next
    mastered = atOnce(createLevelStage(level, sampleRate), samples)
  }
  return { mastered, level }
}

/** The figures of ffmpeg's ebur128 filter. */
function ebur128(samples: Float32Array, sampleRate: number): { loudness: number; peakDb: number } {
  const input = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0']
  const { stderr } = spawnSync(
    ffmpeg!,
    ['-hide_banner', '-nostats', ...input, '-af', 'ebur128=peak=true:framelog=verbose', '-f', 'null', '-'],
    {
      input: toS16(samples),
      encoding: 'utf8',
    },
  )
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'))
  return { loudness: Number(/I:\s+(\S+) LUFS/.exec(summary)![1]), peakDb: Number(/Peak:\s+(\S+) dBFS/.exec(summary)![1]) }
}

const TEXT = 'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes.'
async function speak() {
  const module = await compileFlite()
  return ['slt', 'rms', 'awb', 'kal', 'kal16'].map((name) => ({
    name,
    samples: speakWithFlite(module, findFliteVoice(name)!, TEXT, 1),
  }))
}
let spoken: ReturnType<typeof speak> | undefined
const voices = () => (spoken ??= speak())

test('a sine of 997 Hz at full scale has -3.01 LUFS at every sample rate', () => {
  for (const rate of [8000, 16_000, 22_050, 24_000, 44_100, 48_000])
    near(measure(tone(3, rate, 997, 1), rate).loudness, -3.01, 0.06, `${rate} Hz`)
  near(measure(tone(3, 48_000, 997, 0.1), 48_000).loudness, -23.01, 0.06)
})

test('the gates ignore silence and quiet parts, and silence has no loudness', () => {
  const loud = tone(5, RATE, 997, 0.1)
  const mixed = concat([loud, new Float32Array(10 * RATE), tone(10, RATE, 997, 0.01)])
  near(measure(mixed, RATE).loudness, measure(loud, RATE).loudness!, 0.25)
  assert.equal(measure(new Float32Array(RATE), RATE).loudness, null)
  near(measure(tone(0.15, RATE, 997, 0.1), RATE).loudness, -23, 0.5, 'shorter than a window')
})

test('the histogram does not depend on how the audio was cut', () => {
  const samples = speech(6, RATE, 3)
  const whole = measure(samples, RATE).histogram
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 20 }), (sizes) => {
      const meter = createHistogramMeter(RATE)
      let at = 0
      for (const size of sizes) {
        meter.push(samples.subarray(at, at + size))
        at += size
      }
      meter.push(samples.subarray(at))
      assert.deepEqual(meter.finish(), whole)
    }),
    { numRuns: 10 },
  )
})

test('true peaks between samples are found', () => {
  // A quarter of the sample rate, 45 degrees off: every sample is 3 dB below the peak.
  const sine = Float32Array.from({ length: 4000 }, (_, i) => 0.5 * Math.sin((Math.PI / 2) * i + Math.PI / 4))
  const faded = sine.map((sample, i) => sample * Math.min(1, i / 500, (4000 - i) / 500))
  near(db(peakOf(faded)), -9.03, 0.02)
  near(db(measure(faded, RATE).peak), -6.02, 0.05)
})

/** The largest of a sample and of what 24 taps of a windowed sinc say at a quarter, a half and three quarters of the way to the next one. */
function peaksOf(sound: Float32Array): number[] {
  const sample = (at: number) => sound[at] ?? 0
  const filters = [0.25, 0.5, 0.75].map((part) =>
    Array.from({ length: 24 }, (_, tap) => sinc(tap - 11 - part) * kaiser((tap - 11 - part) / 12, 7)),
  )
  return Array.from(sound, (_, at) => {
    const between = filters.map((filter) => Math.abs(filter.reduce((sum, factor, tap) => sum + factor * sample(at + tap - 23), 0)))
    return Math.max(Math.abs(sample(at - 12)), ...between)
  })
}

test('a scan finds the peak after every sample, in pieces of any size', () => {
  const random = seeded(5)
  const noise = Float32Array.from({ length: RATE }, () => 2 * random() - 1)
  for (const sound of [speech(1, RATE, 9), noise, tone(1, RATE, RATE / 2 - 100, 0.9)]) {
    const wanted = peaksOf(sound)
    for (const size of [5, 1_000, 8_192, sound.length]) {
      const scan = createPeakScan()
      const found: number[] = []
      for (let at = 0; at < sound.length; at += size) found.push(...scan(sound.subarray(at, at + size)))
      assert.equal(found.length, sound.length)
      const wrong = found.findIndex((size, at) => !(Math.abs(size - wanted[at]!) < 1e-6))
      assert.ok(wrong < 0, `sample ${wrong}: ${found[wrong]} instead of ${wanted[wrong]}, pieces of ${size}`)
    }
    // The threads of two streams share the memory of the filters.
    const [one, other] = [createTruePeakMeter(), createTruePeakMeter()]
    for (let at = 0; at < sound.length; at += 1_000) {
      one.push(sound.subarray(at, at + 1_000))
      other.push(new Float32Array(1_000).fill(0.001))
    }
    const most = Math.max(...peaksOf(concat([sound, new Float32Array(PEAK_DELAY)])))
    assert.ok(Math.abs(one.finish() - most) < 1e-6)
    assert.ok(other.finish() < 0.002)
  }
})

test('the limiter keeps true peaks at the ceiling, in pieces of any size', () => {
  const ceiling = 10 ** (-3.5 / 20)
  const loud = speech(3, RATE, 8).map((sample) => sample * 12)
  const limited = atOnce(createTruePeakLimiter(ceiling, RATE), loud)
  assert.equal(limited.length, loud.length)
  assert.ok(db(measure(loud, RATE).peak) > 0)
  assert.ok(db(measure(limited, RATE).peak) <= -3.3, `${db(measure(limited, RATE).peak)} dBTP`)
  assertSameSamples(inPieces(createTruePeakLimiter(ceiling, RATE), loud, 5), limited)
  const quiet = tone(1, RATE, 440, 0.1)
  assertSameSamples(atOnce(createTruePeakLimiter(ceiling, RATE), quiet), quiet)
})

test('a limiter at rest does what it does for every single sample', () => {
  const ceiling = 0.5
  const rate = 4_000
  // After each loud part, 3 s below the ceiling: the gain comes back and stays where rounding leaves it.
  const parts = [0.4, 0.9, 0.3, 2, 0.45, 0.499].flatMap((level) => [tone(0.05, rate, 300, level), tone(3, rate, 440, 0.45)])
  const sound = concat(parts)
  for (const create of [createLimiter, createTruePeakLimiter]) {
    const stage = create(ceiling, rate)
    const single: Float32Array[] = []
    for (let at = 0; at < sound.length; at++) single.push(stage.push(sound.subarray(at, at + 1)))
    const expected = concat([...single, stage.flush()])
    assertSameSamples(atOnce(create(ceiling, rate), sound), expected)
    for (const seed of [1, 2]) assertSameSamples(inPieces(create(ceiling, rate), sound, seed), expected)
    assert.ok(expected.every((sample) => Math.abs(sample) <= ceiling))
  }
  // By hand: the gain of a limiter without the shortcut.
  const gain = createLimiterGain(ceiling, rate)
  const width = gain.ahead + 1
  const release = 1 - Math.exp(-1 / (0.06 * rate))
  const [averaged, expected] = [new Float64Array(width).fill(1), new Float64Array(sound.length)]
  let [sum, last] = [width, 1]
  for (let at = 0; at < sound.length; at++) {
    let lowest = 1
    for (let from = Math.max(0, at - width + 1); from <= at; from++) {
      const size = Math.abs(sound[from]!)
      lowest = Math.min(lowest, size > ceiling ? ceiling / size : 1)
    }
    last = Math.min(lowest, last + (1 - last) * release)
    sum += last - averaged[at % width]!
    averaged[at % width] = last
    expected[at] = Math.min(1, sum / width)
  }
  const sizes = sound.map((sample) => Math.abs(sample))
  for (let at = 0; at < sizes.length; at += 1_000) {
    const piece = sizes.subarray(at, at + 1_000)
    const factors = gain.factorsFor(piece)
    for (let i = 0; i < piece.length; i++) assert.equal(typeof factors === 'number' ? factors : factors[i], expected[at + i])
  }
})

test('the floor replaces silence by the same noise in every run', () => {
  const target = LOUDNESS_TARGETS.acx
  const level = firstLevel(emptyHistogram(), target)
  const silence = new Float32Array(RATE)
  const noise = atOnce(createLevelStage(level, RATE), silence)
  near(10 * Math.log10(noise.reduce((sum, sample) => sum + sample * sample, 0) / noise.length), -68, 0.2)
  assertSameSamples(inPieces(createLevelStage(level, RATE), silence, 4), noise)
  assert.ok(canLimit({ ...level, gainDb: 10 }, 0.5) && !canLimit(level, 0.5))
})

for (const preset of ['acx', 'podcast'] as const) {
  test(`five voices reach the loudness of ${preset} and stay below its peak, as ffmpeg measures them`, withFfmpeg, async (t) => {
    const target = LOUDNESS_TARGETS[preset]
    for (const { name, samples } of await voices()) {
      const { mastered, level } = master(samples, FLITE_SAMPLE_RATE, target)
      const own = measure(mastered, FLITE_SAMPLE_RATE)
      const theirs = ebur128(mastered, FLITE_SAMPLE_RATE)
      t.diagnostic(
        `${name}: gain ${level.gainDb.toFixed(1)} dB, ${own.loudness!.toFixed(2)} LUFS, ffmpeg ${theirs.loudness} LUFS, ${theirs.peakDb} dBTP`,
      )
      near(own.loudness, target.loudness!, 0.3, name)
      near(theirs.loudness, own.loudness!, 0.5, name)
      assert.ok(theirs.peakDb <= target.peakDb, `${name}: ${theirs.peakDb} dBTP`)
    }
  })
}
