// False positives of the search for the mark at other speeds: 100,000 searches of unmarked speech, noise, music and silence. One search is
// what the studio makes for one recording: every speed for one key. The totals so far are printed after each round, so that a run can be
// stopped at any time.
import { detectAtOtherSpeeds } from '#shared/audio/mark/mark-speed.ts'
import { title } from './support/rounds.ts'
import { unmarkedSounds } from './support/watermark/unmarked.ts'
import { benchSpeech } from './support/watermark/voices.ts'

const SEARCHES = 100_000
const SECONDS = 8
/** Keys of one call: they share the spectra of the recording. */
const KEYS = 8

export async function run(): Promise<void> {
  const speech = (await benchSpeech(SECONDS)).map((each) => ({ ...each, samples: each.samples.slice(0, SECONDS * each.sampleRate) }))
  const sounds = [...speech, ...unmarkedSounds(SECONDS)]
  title(`${SEARCHES} searches at all speeds of ${sounds.length} unmarked sounds of ${SECONDS} s, each with another key`)
  let [searches, isFalse] = [0, 0]
  while (searches < SEARCHES) {
    const from = process.cpuUsage()
    for (const { samples, sampleRate, name } of sounds) {
      const keys = Array.from({ length: KEYS }, (_, at) => new TextEncoder().encode(`speed key ${searches + at}`))
      const found = detectAtOtherSpeeds(samples, sampleRate, keys, () => true)
      searches += KEYS
      if (!found) continue
      isFalse++
      process.stdout.write(`${name}: payload ${found.payload} at speed ${found.speed}, score ${found.z.toFixed(2)}\n`)
    }
    const { user, system } = process.cpuUsage(from)
    const each = (user + system) / 1000 / (KEYS * sounds.length)
    // With none in n, the rate is below 3 / n with 95 % confidence.
    const rate = isFalse === 0 ? `below ${(3 / searches).toExponential(1)}` : (isFalse / searches).toExponential(1)
    process.stdout.write(`${searches} searches: false positives ${isFalse} (goal 0), rate ${rate}; ${each.toFixed(0)} ms each\n`)
  }
}
