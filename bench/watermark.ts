// The provenance mark: survival in lossy codecs, level below the speech, and cost. `mark-false` measures false positives.
import { compileFlite, FLITE_SAMPLE_RATE, findFliteVoice, speakWithFlite } from '#agent/engine/tts/flite/synthesis.ts'
import { createMark } from '#shared/audio/mark/mark.ts'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { detectAtOtherSpeeds } from '#shared/audio/mark/mark-speed.ts'
import { concat } from '#shared/audio/stage.ts'
import { interleave, median, row, title } from './support/rounds.ts'
import { CHANGES, CODECS, changed, throughCodec } from './support/watermark/codecs.ts'
import { benchSpeech, type Speech } from './support/watermark/voices.ts'

const KEY = new TextEncoder().encode('a studio')
const PAYLOAD = 0xcafe1234
const TAKE_SECONDS = 14
const PIECE_SECONDS = 8
const SHORT_SECONDS = 5
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
  const print = (name: string, change: (piece: Speech) => Float32Array, goal: string, from = pieces) => {
    const found = from.map((piece) => detectMark(change(piece), piece.sampleRate, [KEY]))
    const decoded = found.filter(({ payload }, i) => payload === PAYLOAD + i).length
    const scores = found.map(({ z }) => z).sort((a, b) => a - b)
    const range = `${scores[0]!.toFixed(1)}, median ${median(scores).toFixed(1)}, ${scores.at(-1)!.toFixed(1)}`
    process.stdout.write(`${name.padEnd(46)} ${`${decoded} of ${from.length}`.padStart(8)}  scores ${range}  ${goal}\n`)
  }
  for (const codec of CODECS) print(codec.name, ({ samples, sampleRate }) => throughCodec(codec, samples, sampleRate), 'at least 15')
  for (const { name, filter } of CHANGES) print(name, ({ samples, sampleRate }) => changed(filter(sampleRate), samples, sampleRate), '')
  const short = pieces.map((piece) => ({ ...piece, samples: piece.samples.subarray(0, SHORT_SECONDS * piece.sampleRate) }))
  for (const codec of CODECS)
    print(`${SHORT_SECONDS} s, ${codec.name}`, ({ samples, sampleRate }) => throughCodec(codec, samples, sampleRate), '', short)
  for (const speed of [0.93, 0.97, 1.03, 1.07]) printSpeed(speed, pieces)
  row('the lowest level of the mark below the speech', [Math.min(...below)], null, 'dB', 'at least 23')
  row('the median level of the mark below the speech', below, null, 'dB', '')
}

/** Played at another speed, as a record player does: the search over speeds has to find it. */
function printSpeed(speed: number, pieces: readonly Speech[]): void {
  const from = performance.now()
  const decoded = pieces.filter(({ samples, sampleRate }, i) => {
    const played = changed(`asetrate=${Math.round(sampleRate * speed)},aresample=${sampleRate}`, samples, sampleRate)
    return detectAtOtherSpeeds(played, sampleRate, [KEY], () => true)?.payload === PAYLOAD + i
  }).length
  const seconds = (performance.now() - from) / 1000 / pieces.length
  process.stdout.write(`${`speed ${speed}`.padEnd(46)} ${`${decoded} of ${pieces.length}`.padStart(8)}  ${seconds.toFixed(1)} s each\n`)
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
  row('writing; limit: synthesis by the embedded voice', times.embed, times.speak, 'ms', '')
  row('detection with one key', times.detect, null, 'ms', 'at most 5000')
}

export async function run(): Promise<void> {
  printSurvival(await benchSpeech(TAKE_SECONDS))
  await printCost()
}
