// Books: the studio's memory while it masters and joins 1 hour and 10 hours, a render beside the engine called directly, and several machines
// that share a book. The engines of the machines wait instead of computing, as a stand-in for the time of their GPUs, so that their speed-up
// shows on a machine with few cores.
import { cpus } from 'node:os'
import { flite } from '#agent/engine/engines/tts/flite/engine.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { cpuTimes, startMachine, startStudio } from './support/peers.ts'
import { interleave, median, row, title } from './support/rounds.ts'

/** Hours of the books; STUDIO_BENCH_HOURS=40 measures a longer one. */
const HOURS = [1, Number(process.env['STUDIO_BENCH_HOURS'] ?? 10)] as const
/** Of the test voice: 40 ms a character. */
const CHARACTERS_AN_HOUR = 90_000
const CHAPTERS_AN_HOUR = 3
/** `memory`, `overhead` or `machines` measures this alone. */
const ONLY = process.env['STUDIO_BENCH_PART']
const LOOK_MS = 200
const OVERHEAD_CHARACTERS = 6_000
const ROUNDS = 3
const MACHINES = 4
/** Steps of the test voice: each waits 8 ms for each second of sound. */
const STEPS = 250
const WAIT_FOR_A_SECOND = (STEPS * 8) / 1000
const SHARED_CHARACTERS = 19_700
const SHORT_CHARACTERS = 2_500
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
  const text = manuscript(OVERHEAD_CHARACTERS, 1)
  const used: Record<'direct' | 'engine' | 'loop' | 'threads', number[]> = { direct: [], engine: [], loop: [], threads: [] }
  let minutes = 1
  const direct = async () => {
    const from = performance.now()
    const before = process.cpuUsage()
    for (const paragraph of text.split('\n\n').filter((one) => !one.startsWith('#')))
      for await (const event of engine.run('tts', { segments: [{ text: paragraph }] }, new AbortController().signal)) void event
    const { user, system } = process.cpuUsage(before)
    used.direct.push((user + system) / 1e6)
    return performance.now() - from
  }
  const book = async () => {
    const before = cpuTimes(studio.child.pid!)
    const { ms, seconds } = await render(studio, { text: manuscript(OVERHEAD_CHARACTERS, 1) })
    const { whole, main, below } = cpuTimes(studio.child.pid!)
    minutes = seconds / 60
    used.engine.push(below - before.below)
    used.loop.push(main - before.main)
    used.threads.push(whole - main - before.whole + before.main)
    return ms
  }
  const times = await interleave(ROUNDS, { book, direct })
  row('until the file is complete', times.book, times.direct, 'ms ', 'goal 1.10')
  // The first round only warms up.
  const perMinute = (name: keyof typeof used) => used[name].slice(1).map((seconds) => seconds / minutes)
  row('processor time for a minute: engine, agent, ffmpeg', perMinute('engine'), perMinute('direct'), 's  ', '')
  row('    media threads: limiter, mark, MP3, meters', perMinute('threads'), perMinute('direct'), 's  ', '')
  row('    the event loop of the studio', perMinute('loop'), perMinute('direct'), 's  ', '')
  const all = (['engine', 'threads', 'loop'] as const).reduce((sum, name) => sum + median(perMinute(name)), 0)
  print('    the lowest possible ratio on these cores', Math.max(1, all / cpus().length / median(perMinute('direct'))).toFixed(2))
}

async function measureMachines(studio: Studio): Promise<void> {
  title(
    `A book of ${(SHARED_CHARACTERS * 0.04).toFixed(0)} s on several machines, each with 4 places that wait ${WAIT_FOR_A_SECOND} s for each second of sound instead of computing, as a stand-in for a GPU`,
  )
  const use = (target: string) =>
    fetch(`http://127.0.0.1:${studio.port}/workers/target`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target }),
    })
  const timed = async (characters = SHARED_CHARACTERS) =>
    (await render(studio, { text: manuscript(characters, 4), engine: 'tone', num_step: STEPS })).ms
  await use('local')
  await timed(SHORT_CHARACTERS) // starts the host
  const alone = await timed()
  print('1 machine', `${(alone / 1000).toFixed(1)} s`)
  await use('auto')
  const machines: Awaited<ReturnType<typeof startMachine>>[] = []
  let whole = alone
  try {
    for (let count = 2; count <= MACHINES; count++) {
      machines.push(await startMachine(studio.port, { STUDIO_DEVELOPMENT: '1' }))
      await timed(SHORT_CHARACTERS)
      const ms = await timed()
      whole = ms
      print(`${count} machines`, `${(ms / 1000).toFixed(1)} s, ${(alone / ms).toFixed(2)} times as fast  goal: ${(0.9 * count).toFixed(1)}`)
    }
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
