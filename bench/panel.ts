// The web page with a thousand machines and ten thousand tasks: first view, response times, and the CPU cost of one open page for the studio.
// Goals: first view within 1 s, responses within 100 ms. Needs Chromium: ./studio setup --tests.
import { readFileSync } from 'node:fs'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { machinesPage, pageSpeed, type Speed, tasksPage } from '#test/support/web/page-speed.ts'
import { enrolOffline, enrolWithKeys } from './support/enrolled.ts'
import { startPeer, startStudio } from './support/peers.ts'
import { median, title } from './support/rounds.ts'

type Scale = {
  readonly machines: number
  readonly tasks: number
  readonly rounds: number
  readonly connected: boolean
  readonly watchedMs?: number
  /** One more round, not counted: the browser compiles the scripts. */
  readonly warmUp?: boolean
}
export type PanelFigures = {
  readonly tasks: Speed
  readonly machines: Speed
  readonly cpuPercent: number
  readonly complaints: readonly string[]
}
const TICKS_PER_SECOND = 100
const WATCHED_MS = 10_000
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function middle(each: readonly Speed[]): Speed {
  const of = (key: keyof Speed) => median(each.map((one) => one[key]))
  return { firstMs: of('firstMs'), keyMs: of('keyMs'), openMs: of('openMs'), longestTaskMs: of('longestTaskMs') }
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** `connected`: with connected machines. Creating their keys alone takes one to two minutes. */
export async function measurePanel({
  machines,
  tasks,
  rounds,
  connected,
  watchedMs = WATCHED_MS,
  warmUp = true,
}: Scale): Promise<PanelFigures> {
  let prepared: Awaited<ReturnType<typeof enrolWithKeys>> | undefined
  const studio = await startStudio(async (dataDir) => {
    if (connected) prepared = await enrolWithKeys(dataDir, machines)
    else await enrolOffline(dataDir, machines)
  })
  const endings: (() => Promise<void>)[] = []
  try {
    const origin = `http://127.0.0.1:${studio.port}`
    if (prepared) {
      const agents = await startPeer('simulated-agents.ts')
      endings.push(agents.end)
      const fleet = async () => (await (await fetch(`${origin}/workers`)).json()) as { endpoint: string; workers: { connected: boolean }[] }
      await agents.ask({ ...prepared, port: Number((await fleet()).endpoint.split(':').at(-1)) })
      await agents.ask({ connect: true })
      while ((await fleet()).workers.some((worker) => !worker.connected)) await sleep(250)
    }
    await studio.ask({ flood: { count: tasks, width: 200 } })
    const { page, complaints } = await openPage(
      { after: (end) => void endings.push(async () => void (await end())) },
      `${origin}/#/jobs/work`,
    )
    const speeds: { tasks: Speed[]; machines: Speed[] } = { tasks: [], machines: [] }
    for (let round = warmUp ? -1 : 0; round < rounds; round++) {
      const [ofTasks, ofMachines] = [await pageSpeed(page, tasksPage(origin)), await pageSpeed(page, machinesPage(origin))]
      if (round < 0) continue
      speeds.tasks.push(ofTasks)
      speeds.machines.push(ofMachines)
    }
    const before = cpuOf(studio.child.pid!)
    await sleep(watchedMs)
    const cpuPercent = ((cpuOf(studio.child.pid!) - before) / (watchedMs / 1000)) * 100
    return { tasks: middle(speeds.tasks), machines: middle(speeds.machines), cpuPercent, complaints }
  } finally {
    for (const end of endings.reverse()) await end()
    studio.kill()
  }
}

export const figureLines = ({ tasks, machines, cpuPercent }: PanelFigures): string[] => [
  ...Object.entries({ Tasks: tasks, Machines: machines }).map(
    ([name, { firstMs, keyMs, openMs, longestTaskMs }]) =>
      `${name.padEnd(9)} first view ${firstMs.toFixed(0)} ms, a key ${keyMs.toFixed(0)} ms, opening ${openMs.toFixed(0)} ms, longest block ${longestTaskMs.toFixed(0)} ms`,
  ),
  `CPU of the studio with one open page: ${cpuPercent.toFixed(1)} % of one core`,
]

export async function run(): Promise<void> {
  for (const connected of [false, true]) {
    title(
      `The web page with 1,000 machines, all ${connected ? 'connected' : 'offline'}, and 10,000 finished tasks (goal: first view 1000 ms, responses 100 ms)`,
    )
    if (NO_BROWSER) return void process.stdout.write(`${NO_BROWSER}\n`)
    for (const line of figureLines(await measurePanel({ machines: 1_000, tasks: 10_000, rounds: 5, connected })))
      process.stdout.write(`${line}\n`)
  }
}
