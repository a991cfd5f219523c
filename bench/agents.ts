// A thousand machines on one studio: memory for each, idle CPU and database writes, and the time until all have reconnected after every link
// broke at once. The conventional design (agents as gRPC clients of the control plane) was measured at 82 KB an agent and 125 to 165 full
// handshakes a second with both ends on two cores.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { enrolWithKeys } from './support/enrolled.ts'
import { startPeer, startStudio } from './support/peers.ts'
import { title } from './support/rounds.ts'

const AGENTS = 1_000
const SETTLE_MS = 10_000
const IDLE_MS = 60_000
const TICKS_PER_SECOND = 100
const print = (text: string) => void process.stdout.write(`${text}\n`)

const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

export async function run(): Promise<void> {
  title(`${AGENTS} agents on one studio`)
  let prepared: Awaited<ReturnType<typeof enrolWithKeys>> | undefined
  const studio = await startStudio(async (dataDir) => {
    prepared = await enrolWithKeys(dataDir, AGENTS)
  })
  const agents = await startPeer('simulated-agents.ts')
  try {
    const pid = studio.child.pid!
    const rss = async () => (await studio.ask<{ studioRss: number }>({ memory: true })).studioRss
    const fleet = async () =>
      (await (await fetch(`http://127.0.0.1:${studio.port}/workers`)).json()) as { endpoint: string; workers: { connected: boolean }[] }
    const { endpoint } = await fleet()
    const allReady = async () => {
      const from = performance.now()
      for (;;) {
        const ready = (await fleet()).workers.filter(({ connected }) => connected).length
        if (ready === AGENTS) return (performance.now() - from) / 1000
        if (performance.now() - from > 180_000) throw new Error(`only ${ready} of ${AGENTS} connected`)
        await clock.sleep(250)
      }
    }
    await agents.ask({ ...prepared, port: Number(endpoint.split(':').at(-1)) })
    const before = await rss()
    await agents.ask({ connect: true })
    const first = await allReady()
    print(
      `first connect, all at once, to all ready           ${first.toFixed(1)} s  (${(AGENTS / first).toFixed(0)} a second, both ends on this machine)`,
    )
    await clock.sleep(SETTLE_MS)
    print(`memory of the studio for each agent                ${(((await rss()) - before) / AGENTS / 1024) | 0} KB  (conventional: 82 KB)`)

    const wal = join(studio.dataDir, 'studio.db-wal')
    const ticks = ticksOf(pid)
    let writes = 0
    let last = statSync(wal).mtimeMs
    for (const until = performance.now() + IDLE_MS; performance.now() < until; await clock.sleep(20)) {
      const now = statSync(wal).mtimeMs
      if (now !== last) writes++
      last = now
    }
    const cpu = ((ticksOf(pid) - ticks) / TICKS_PER_SECOND / (IDLE_MS / 1000)) * 100
    print(`idle, a report of each every 5 s: CPU of the studio  ${cpu.toFixed(1)} % of one core`)
    print(`database writes in ${IDLE_MS / 1000} s                            ${writes}  (limit: ${AGENTS}, one an agent)`)

    const at = performance.now()
    await agents.ask({ cut: true })
    while ((await fleet()).workers.every(({ connected }) => connected)) await clock.sleep(10)
    await allReady()
    const storm = (performance.now() - at) / 1000
    print(
      `every link cut at once, to all ready again         ${storm.toFixed(1)} s  (${(AGENTS / storm).toFixed(0)} a second; conventional: 125 to 165)`,
    )
  } finally {
    await agents.end()
    studio.kill()
  }
}
