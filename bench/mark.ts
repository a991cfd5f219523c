// The provenance mark: survival in lossy codecs, level below the speech, and cost. `mark-false` measures false positives.
import { compileFlite, FLITE_SAMPLE_RATE, findFliteVoice, speakWithFlite } from '#agent/engine/engines/tts/flite/synthesis.ts'
import { createMark } from '#shared/audio/mark/mark.ts'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { concat } from '#shared/audio/stage.ts'
import { CODECS, throughCodec } from './support/mark/codecs.ts'
import { benchSpeech, type Speech } from './support/mark/voices.ts'
import { interleave, median, row, title } from './support/rounds.ts'

const KEY = new TextEncoder().encode('a studio')
const PAYLOAD = 0xcafe1234
const TAKE_SECONDS = 14
const PIECE_SECONDS = 8
const ROUNDS = 7
const CHUNK = 4800

function marked({ samples, sampleRate }: Speech, payload: number): Float32Array {
  const mark = createMark({ key: KEY, payload, sampleRate })
  const parts: Float32Array[] = []
  for (let at = 0; at < samples.length; at += CHUNK) parts.push(mark.push(samples.subarray(at, at + CHUNK)))
  return concat([...parts, mark.flush()])
}

/** Power of the signal over the power of the change, in dB. */
function levelBelow(signal: Float32Array, changed: Float32Array): number {
  let [power, error] = [0, 0]
  signal.forEach((sample, i) => {
    power += sample * sample
    error += (sample - changed[i]!) ** 2
  })
  return 10 * Math.log10(power / error)
}

const secondsOf = (work: () => unknown): number => {
  const from = performance.now()
  work()
  return (performance.now() - from) / 1000
}

function printSurvival(takes: readonly Speech[]): void {
  title(
    `${takes.length} pieces of ${PIECE_SECONDS} s, cut from marked takes at uneven offsets: payloads decoded, scores from lowest to highest`,
  )
  const below: number[] = []
  const pieces = takes.map((take, i) => {
    const samples = marked(take, PAYLOAD + i)
    below.push(levelBelow(take.samples, samples))
    const from = Math.round((1 + ((i * 0.37) % 4)) * take.sampleRate)
    return { ...take, samples: samples.slice(from, from + PIECE_SECONDS * take.sampleRate) }
  })
  for (const codec of CODECS) {
    const found = pieces.map(({ samples, sampleRate }) => detectMark(throughCodec(codec, samples, sampleRate), sampleRate, [KEY]))
    const decoded = found.filter(({ payload }, i) => payload === PAYLOAD + i).length
    const scores = found.map(({ z }) => z).sort((a, b) => a - b)
    const range = `${scores[0]!.toFixed(1)}, median ${median(scores).toFixed(1)}, ${scores.at(-1)!.toFixed(1)}`
    process.stdout.write(`${codec.name.padEnd(46)} ${`${decoded} of ${pieces.length}`.padStart(8)}  scores ${range}  at least 15\n`)
  }
  row('the lowest level of the mark below the speech', [Math.min(...below)], null, 'dB', 'at least 23')
  row('the median level of the mark below the speech', below, null, 'dB', '')
}

async function printCost(): Promise<void> {
  const module = await compileFlite()
  const voice = findFliteVoice('slt')!
  const text = 'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. '.repeat(12)
  const speak = () => speakWithFlite(module, voice, text, 1)
  const take = { name: voice.id, sampleRate: FLITE_SAMPLE_RATE, samples: speak() }
  const minutes = take.samples.length / FLITE_SAMPLE_RATE / 60
  title(`Cost per minute of audio at ${FLITE_SAMPLE_RATE} Hz`)
  const samples = marked(take, PAYLOAD)
  const times = await interleave(ROUNDS, {
    embed: async () => (1000 * secondsOf(() => marked(take, PAYLOAD))) / minutes,
    speak: async () => (1000 * secondsOf(speak)) / minutes,
    detect: async () => (1000 * secondsOf(() => detectMark(samples, FLITE_SAMPLE_RATE, [KEY]))) / minutes,
  })
  row('writing; limit: synthesis by the basic voice', times.embed, times.speak, 'ms', '')
  row('detection with one key', times.detect, null, 'ms', 'at most 5000')
}

export async function run(): Promise<void> {
  printSurvival(await benchSpeech(TAKE_SECONDS))
  await printCost()
}
