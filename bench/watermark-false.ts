// False positives of the detection of the mark: 100,000 searches of unmarked speech, noise, music and silence.
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { title } from './support/rounds.ts'
import { unmarkedSounds } from './support/watermark/unmarked.ts'
import { benchSpeech } from './support/watermark/voices.ts'

const LOOKS = 100_000
const SECONDS = 8
/** Keys of one call: they share the spectrum of the recording. */
const KEYS = 64

export async function run(): Promise<void> {
  const speech = (await benchSpeech(SECONDS)).map((each) => ({ ...each, samples: each.samples.slice(0, SECONDS * each.sampleRate) }))
  const sounds = [...speech, ...unmarkedSounds(SECONDS)]
  const calls = Math.ceil(LOOKS / KEYS / sounds.length)
  title(`${calls * KEYS * sounds.length} searches of ${sounds.length} unmarked sounds of ${SECONDS} s, each with another key`)
  let [isFalse, highest, confidence] = [0, 0, 0]
  let key = 0
  const from = performance.now()
  for (const { samples, sampleRate, name } of sounds) {
    let most = 0
    for (let call = 0; call < calls; call++) {
      const found = detectMark(
        samples,
        sampleRate,
        Array.from({ length: KEYS }, () => new TextEncoder().encode(`key ${key++}`)),
      )
      if (found.level !== 'none') isFalse++
      most = Math.max(most, found.z)
      confidence = Math.max(confidence, found.confidence)
    }
    highest = Math.max(highest, most)
    process.stdout.write(`${name.padEnd(46)} ${most.toFixed(2).padStart(7)} highest score of ${calls * KEYS} searches\n`)
  }
  const each = (performance.now() - from) / (calls * KEYS * sounds.length)
  process.stdout.write(
    `false positives ${isFalse} (goal 0); highest score ${highest.toFixed(2)}, highest confidence ${confidence.toFixed(3)}\n`,
  )
  process.stdout.write(`${each.toFixed(2)} ms per search\n`)
}
