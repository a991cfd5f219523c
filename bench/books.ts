// Books: the studio's memory while it masters and joins 1 hour and 10 hours, a render beside the engine called directly, and several machines
// that share a book. The engines of the machines wait instead of computing, so that their speed-up shows on a machine with few cores.
import { flite } from '#agent/engine/engines/tts/flite/engine.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { startMachine, startStudio } from './support/peers.ts'
import { interleave, row, title } from './support/rounds.ts'

/** Hours of the books; STUDIO_BENCH_HOURS=40 measures a longer one. */
const HOURS = [1, Number(process.env['STUDIO_BENCH_HOURS'] ?? 10)] as const
/** Of the test voice: 40 ms a character. */
const CHARACTERS_AN_HOUR = 90_000
const CHAPTERS_AN_HOUR = 3
/** `memory`, `overhead` or `machines` measures this alone. */
const ONLY = process.env['STUDIO_BENCH_PART']
const LOOK_MS = 200
const ROUNDS = 3
const MACHINES = 4
/** Milliseconds that the test voice waits for each part, the most that a request may ask for. */
const STEPS = 512
const SHARED_CHARACTERS = 40_000
const MIB = 2 ** 20
const print = (label: string, value: string) => void process.stdout.write(`${label.padEnd(46)} ${value}\n`)

type Studio = Awaited<ReturnType<typeof startStudio>>

/** Different in each book, so that nothing is cached. */
let books = 0
function manuscript(characters: number, chapters: number): string {
  const book = ++books
  const paragraph = (at: number) =>
    `In part ${at} of book ${book} the travellers walk on until evening, and no one counts the hours of the long and quiet day behind them.`
  const count = Math.ceil(characters / paragraph(1).length)
  const each = Math.ceil(count / chapters)
  return Array.from({ length: count }, (_, at) => `${at % each === 0 ? `# Chapter ${at / each + 1}\n\n` : ''}${paragraph(at)}`).join('\n\n')
}

type Rendered = { readonly ms: number; readonly seconds: number }
async function render({ port }: Pick<Studio, 'port'>, request: object): Promise<Rendered> {
  const from = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/audiobook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'mp3', ...request }),
  })
  const events = (await response.text()).split('\n\n').flatMap((frame) => (frame.startsWith('data: ') ? [JSON.parse(frame.slice(6))] : []))
  const last = events.at(-1)
  if (last?.type !== 'done') throw new Error(`The book ended with ${JSON.stringify(last)}.`)
  return { ms: performance.now() - from, seconds: last.duration_s }
}

export async function run(): Promise<void> {
  const studio = await startStudio()
  try {
    for (const [name, measure] of Object.entries({ memory: measureMemory, overhead: measureOverhead, machines: measureMachines }))
      if (ONLY === undefined || ONLY === name) await measure(studio)
  } finally {
    studio.kill()
  }
}

async function measureMemory(studio: Studio): Promise<void> {
  title('Memory of the studio while it renders, masters and joins a book of the test voice')
  const resident = async () => (await studio.ask<{ studioRss: number }>({ memory: true })).studioRss
  await render(studio, { text: manuscript(CHARACTERS_AN_HOUR / 10, 1), engine: 'tone' })
  const most: number[] = []
  for (const hours of HOURS) {
    let isOver = false
    let peak = 0
    const watch = (async () => {
      while (!isOver) {
        peak = Math.max(peak, await resident())
        await clock.sleep(LOOK_MS)
      }
    })()
    const { ms, seconds } = await render(studio, { text: manuscript(hours * CHARACTERS_AN_HOUR, hours * CHAPTERS_AN_HOUR), engine: 'tone' })
    isOver = true
    await watch
    most.push(peak)
    print(`${(seconds / 3600).toFixed(1)} hours in ${(ms / 1000).toFixed(0)} s`, `${(peak / MIB).toFixed(0)} MiB at most`)
  }
  print('    growth', `${((most[1]! - most[0]!) / MIB).toFixed(0)} MiB  goal: at most 50`)
}

/** The engine in this process, with the same text in segments of the same size. */
async function measureOverhead(studio: Studio): Promise<void> {
  title('A book with the embedded voice; limit: its engine called directly')
  const engine = flite.create()
  await engine.load()
  const text = manuscript(6_000, 1)
  const direct = async () => {
    const from = performance.now()
    for (const paragraph of text.split('\n\n').filter((one) => !one.startsWith('#')))
      for await (const event of engine.run('tts', { segments: [{ text: paragraph }] }, new AbortController().signal)) void event
    return performance.now() - from
  }
  const times = await interleave(ROUNDS, {
    book: async () => (await render(studio, { text: manuscript(6_000, 1) })).ms,
    direct,
  })
  row('until the file is complete', times.book, times.direct, 'ms ', 'goal 1.10')
}

async function measureMachines(studio: Studio): Promise<void> {
  title('A book of the test voice on several machines, whose parts wait instead of computing')
  const use = (target: string) =>
    fetch(`http://127.0.0.1:${studio.port}/workers/target`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target }),
    })
  const timed = async () => (await render(studio, { text: manuscript(SHARED_CHARACTERS, 4), engine: 'tone', num_step: STEPS })).ms
  await use('local')
  await timed() // starts the host
  const alone = await timed()
  print('1 machine', `${(alone / 1000).toFixed(1)} s`)
  await use('auto')
  const machines: Awaited<ReturnType<typeof startMachine>>[] = []
  try {
    for (let count = 2; count <= MACHINES; count++) {
      machines.push(await startMachine(studio.port, { STUDIO_DEVELOPMENT: '1' }))
      await timed()
      const ms = await timed()
      print(`${count} machines`, `${(ms / 1000).toFixed(1)} s, ${(alone / ms).toFixed(2)} times as fast  goal: ${(0.9 * count).toFixed(1)}`)
    }
    const whole = await timed()
    const dying = timed()
    await clock.sleep(whole / 2)
    machines.pop()!.kill()
    print(
      `${MACHINES} machines, of which one dies half-way`,
      `${((await dying) / 1000).toFixed(1)} s, ${(whole / 1000).toFixed(1)} s without`,
    )
  } finally {
    for (const machine of machines) machine.kill()
  }
}
