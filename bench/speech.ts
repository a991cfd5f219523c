// Time to the first byte of speech and until its end, compared with a direct call of the engine; four clients at once; and the cost of mastering and mark.
// `heart` is the embedded voice, `flite` one that takes so little time that everything else is visible.
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { heart } from '#agent/engine/tts/heart/engine.ts'
import { createMark } from '#shared/audio/mark/mark.ts'
import { createMaster } from '#shared/audio/master/master.ts'
import { chain } from '#shared/audio/stage.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { closeClient, post, startStudio } from './support/peers.ts'
import { interleave, median, row, title } from './support/rounds.ts'

const TEXT =
  'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. ' +
  'Our server sends every piece of audio to a machine in another room, where a fast card does the work. ' +
  'While the second sentence is being made, the first one can already be heard. ' +
  'When all of it has arrived, nothing is missing and nothing was made twice.'
const ROUNDS = 9
const AT_ONCE = 4
const RATE = 24_000
const SOUND_SECONDS = 60

type Engine = Pick<ReturnType<typeof flite.create>, 'load' | 'run'>
const ENGINES: Readonly<Record<string, () => Engine>> = {
  flite: () => flite.create(),
  heart: () => heart.create({ clock: systemClock, path: '', filesOf: () => null }),
}

/** The baseline: the engine in this process, loaded once. Resolves to a function that runs it and returns milliseconds. */
async function loadEngine(engine: Engine): Promise<() => Promise<number>> {
  await engine.load('')
  return async () => {
    const from = performance.now()
    let samples = 0
    for await (const event of engine.run('tts', { segments: [{ text: TEXT }] }, new AbortController().signal, new Map(), '', ''))
      if (event.kind === 'audio') samples += event.samples.length
    if (samples === 0) throw new Error('the engine made no sound')
    return performance.now() - from
  }
}

type Spoken = { readonly first: number; readonly total: number }
async function speak(port: number, request: object, client?: string): Promise<Spoken> {
  const from = performance.now()
  let first = 0
  const noteFirst = () => {
    first = performance.now() - from
  }
  const { status, body } = await post(port, '/v1/audio/speech', JSON.stringify({ input: TEXT, ...request }), noteFirst, client)
  if (status !== 200) throw new Error(`${status} ${body.toString().slice(0, 200)}`)
  return { first, total: performance.now() - from }
}

const line = (label: string, value: string) => void process.stdout.write(`${label.padEnd(46)} ${value}\n`)

async function measure(port: number, name: string): Promise<void> {
  const alone = await loadEngine(ENGINES[name]!())
  title(`Speech of four sentences over HTTP: ${name}`)
  for (const format of ['pcm', 'mp3', 'wav']) {
    const spoken: Spoken[] = []
    const through = async () => {
      const one = await speak(port, { response_format: format, model: name })
      spoken.push(one)
      return one.total
    }
    const times = await interleave(ROUNDS, { through, alone })
    const warm = spoken.slice(1)
    row(`${format}: total, limit: the engine alone`, times.through, times.alone, 'ms ', 'at most 1.12')
    line(
      `${format}: total minus the engine alone`,
      `${median(times.through.map((ms, at) => ms - times.alone[at]!)).toFixed(1)} ms  at most 25 with heart`,
    )
    const share = median(warm.map(({ first, total }) => first / total)) * 100
    line(
      `${format}: first byte at`,
      `${median(warm.map(({ first }) => first)).toFixed(0)} ms, ${share.toFixed(0)} % of the total  ${format === 'wav' ? 'WAV begins with its length, so it is sent complete' : 'at most 120 ms with heart, 15 % with flite'}`,
    )
  }
}

/** A request alone and four at once. In turns of a sentence the last of them begins after about four sentences, and not after three requests. */
async function measureTurns(port: number): Promise<void> {
  title(`${AT_ONCE} clients at once with heart: when each has its first byte`)
  const alone: Spoken[] = []
  const firsts: number[][] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const request = { response_format: 'pcm', model: 'heart' }
    const one = await speak(port, request)
    const many = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => speak(port, request, `127.0.0.${at + 2}`)))
    if (round === 0) continue
    alone.push(one)
    firsts.push(many.map(({ first }) => first).sort((a, b) => a - b))
  }
  const whole = median(alone.map(({ total }) => total))
  line('one request', `first byte ${median(alone.map(({ first }) => first)).toFixed(0)} ms, whole ${whole.toFixed(0)} ms`)
  for (let at = 0; at < AT_ONCE; at++) {
    const ms = median(firsts.map((each) => each[at]!))
    line(`first byte of client ${at + 1}`, `${ms.toFixed(0)} ms, ${(ms / whole).toFixed(2)} of a whole request`)
  }
}

/** Milliseconds of mastering and mark for a second of sound, in this process. */
function measureFinish(): void {
  title('Mastering and mark for a second of sound')
  const samples = Float32Array.from({ length: RATE * SOUND_SECONDS }, (_, at) => Math.sin(at / 20) * Math.sin(at / 9_000) * 0.3)
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const stages = chain([createMaster(RATE), createMark({ key: Buffer.alloc(32, 7), payload: 5, sampleRate: RATE })])
    const from = performance.now()
    for (let at = 0; at < samples.length; at += RATE / 10) stages.push(samples.subarray(at, at + RATE / 10))
    stages.flush()
    if (round > 0) times.push((performance.now() - from) / SOUND_SECONDS)
  }
  line(
    'mastering and mark',
    `${median(times).toFixed(2)} ms (${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)})  at most 1`,
  )
}

export async function run(): Promise<void> {
  const studio = await startStudio()
  try {
    for (const name of Object.keys(ENGINES)) await measure(studio.port, name)
    await measureTurns(studio.port)
    measureFinish()
  } finally {
    closeClient()
    await studio.end()
  }
}
