// Books: the studio's memory while it masters and joins 1 hour and 10 hours, a render beside the engine called directly, and several machines
// that share a book. The engines of the machines wait instead of computing, as a stand-in for the time of their GPUs, so that their speed-up
// shows on a machine with few cores.

import { systemClock as clock } from '#shared/runtime/clock.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { measureOverhead } from './support/books/overhead.ts'
import { manuscript, render, renderAsJob } from './support/books/render.ts'
import { startMachine, startStudio } from './support/peers.ts'
import { title } from './support/rounds.ts'

/** Hours of the books; STUDIO_BENCH_HOURS=40 measures a longer one. */
const HOURS = [1, Number(process.env['STUDIO_BENCH_HOURS'] ?? 10)] as const
/** Speech of the test voice: 40 ms a character, and the pauses between paragraphs. */
const CHARACTERS_AN_HOUR = 83_000
const CHAPTERS_AN_HOUR = 3
/** `memory`, `overhead` or `machines` measures this alone. */
const ONLY = process.env['STUDIO_BENCH_PART']
const LOOK_MS = 200
const MACHINES = 4
/** Steps of the test voice: each waits 8 ms for each second of sound. */
const STEPS = 250
const WAIT_FOR_A_SECOND = (STEPS * 8) / 1000
const SHARED_CHARACTERS = 19_700
const SHORT_CHARACTERS = 2_500
const print = (label: string, value: string) => void process.stdout.write(`${label.padEnd(46)} ${value}\n`)

type Studio = Awaited<ReturnType<typeof startStudio>>

export async function run(): Promise<void> {
  const studio = await startStudio()
  try {
    for (const [name, measure] of Object.entries({ memory: measureMemory, overhead: measureOverhead, machines: measureMachines }))
      if (ONLY === undefined || ONLY === name) await measure(studio)
  } finally {
    studio.kill()
  }
}

type Memory = { readonly studioRss: number; readonly heapBytes: number; readonly bufferBytes: number }

/** Prints the peak of each hour of the progress of a book, so that a run that is stopped has figures too. */
async function measureMemory(studio: Studio): Promise<void> {
  title('Memory of the studio while it renders, masters and joins a book of the test voice')
  const mebibytes = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`
  await renderAsJob(studio, { text: manuscript(CHARACTERS_AN_HOUR / 10, 1), engine: 'tone' }, async () => {})
  const most: number[] = []
  for (const hours of HOURS) {
    const from = performance.now()
    const seconds = () => ((performance.now() - from) / 1000).toFixed(0)
    let [isOver, hour, ofHour, ofBook] = [false, 0, 0, 0]
    let now: Memory | null = null
    const watch = (async () => {
      while (!isOver) {
        now = await studio.ask<Memory>({ memory: true })
        ofHour = Math.max(ofHour, now.studioRss)
        ofBook = Math.max(ofBook, ofHour)
        await clock.sleep(LOOK_MS)
      }
    })()
    const progressed = async (part: number) => {
      if (part * hours < hour + 1 || now === null) return
      hour = Math.floor(part * hours)
      const peak = ofHour
      ofHour = 0
      const { heapBytes, bufferBytes } = now
      print(
        `    hour ${hour} of ${hours}`,
        `${mebibytes(peak)} at most, now heap ${mebibytes(heapBytes)}, buffers ${mebibytes(bufferBytes)}, after ${seconds()} s`,
      )
    }
    await renderAsJob(studio, { text: manuscript(hours * CHARACTERS_AN_HOUR, hours * CHAPTERS_AN_HOUR), engine: 'tone' }, progressed)
    isOver = true
    await watch
    most.push(ofBook)
    print(`${hours} hours of speech in ${seconds()} s`, `${mebibytes(ofBook)} at most`)
  }
  print('    growth', `${mebibytes(most[1]! - most[0]!)}  goal: at most 50`)
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
