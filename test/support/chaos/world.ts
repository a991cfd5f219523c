// The world for fault injection: one studio on its own small disk and four machines, two that dial it and two that it dials, each behind its
// own network. All programs are real. The available faults are methods; each returns proof that it happened.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type Program, ROOT, startProgram } from '../world/process.ts'
import { hostsOf, isAlive } from '../world/tasks.ts'
import { eventually, freePort, openWorld, temporaryFolder, type World } from '../world/world.ts'
import { type Network, openNetwork } from './cut.ts'
import { mayMount, smallDisk } from './small-disk.ts'

/** Needed from addresses and under names that are not local. */
export const KEY = 'k9-one-key-for-a-world-of-faults-135792468'
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

export type Member = {
  readonly name: string
  readonly isInbound: boolean
  readonly network: Network
  readonly dataDir: string
  workerId: string
  program: Program
  readonly start: () => void
  /** Enrols and approves the machine, like its owner and the studio's owner would. */
  readonly enrol: () => Promise<void>
}
export type ChaosWorld = Awaited<ReturnType<typeof openChaosWorld>>

export async function openChaosWorld(t: TestContext, { jumps, drops }: { readonly jumps: boolean; readonly drops: boolean }) {
  const disk = mayMount ? smallDisk(t, 'size=128m') : null
  const control = temporaryFolder(t)
  const [lies, refusals] = [join(control, 'lies'), join(control, 'refusals')]
  const offset = join(control, 'offset')
  writeFileSync(offset, '+0\n')
  // The wall clock of every program of this world; their monotonic clocks are unchanged.
  const time: Record<string, string> = jumps
    ? { LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    : {}
  const world = await openWorld(t, {
    remote: true,
    env: {
      ...time,
      ...(disk && { STUDIO_DATA_DIR: disk }),
      NODE_OPTIONS: ['lying-disk', 'refused-rows', 'shared-time']
        .map((name) => `--import="${pathToFileURL(join(ROOT, `test/support/chaos/${name}.ts`))}"`)
        .join(' '),
      VOICE_STUDIO_TEST_LIES: lies,
      VOICE_STUDIO_TEST_REFUSALS: refusals,
      STUDIO_API_KEY: KEY,
    },
  })
  const dataDir = disk ?? world.dataDir
  await world.post('/workers/target', { target: 'auto' })
  const studioPort = (await world.get('/workers')).json().endpoint as string

  const member = async (
    name: string,
    isInbound: boolean,
    network: Network,
    dataDir: string,
    settings: Record<string, string>,
  ): Promise<Member> => {
    const env = { STUDIO_DATA_DIR: dataDir, STUDIO_DEVELOPMENT: '1', ...time, ...settings }
    const start = () => startProgram(t, ['agent/main.ts'], env)
    const approve = async (workerId: string) => {
      const reply = await patiently(() => world.send('POST', `/workers/${workerId}/consent`))
      if (reply.status !== 200) throw new Error(`not approved: ${reply.body}`)
    }
    const me: Member = {
      name,
      isInbound,
      network,
      dataDir,
      workerId: '',
      program: null as never,
      start: () => {
        me.program = start()
      },
      async enrol() {
        if (isInbound) {
          const { connection_string } = await eventually(() =>
            createControlClient(controlPath(dataDir), clock)
              .issueKey({ label: name })
              .catch(() => null),
          )
          const text = connection_string.replace(/@[^?]+\?/, `@${network.address}?`)
          await patiently(() => world.post('/workers/inbound/connections', { connection_string: text }))
          me.workerId = await eventually(async () => {
            const { connections } = (await world.get('/workers/inbound')).json()
            return connections?.find((each: { endpoint: string }) => each.endpoint === network.address)?.worker_id
          })
        } else {
          const reply = await patiently(() => world.post('/workers/enrollments', { label: name, endpoint: network.address }))
          rmSync(join(dataDir, 'agent'), { recursive: true, force: true })
          const joining = startProgram(t, ['agent/main.ts', 'join', reply.json().token], env)
          if ((await joining.ended) !== 0) throw new Error(`join failed: ${joining.output()}`)
          me.workerId = joining.output().match(/ as ([0-9a-f]+)\./)![1]!
        }
        await approve(me.workerId)
      },
    }
    return me
  }

  // A machine without 256 MiB of free space gets no task.
  const lentDisk = () => (mayMount ? smallDisk(t, 'size=320m') : temporaryFolder(t))
  const members: Member[] = []
  for (const name of ['dials-1', 'dials-2']) {
    const me = await member(name, false, await openNetwork(t, studioPort), lentDisk(), {})
    await me.enrol()
    me.start()
    members.push(me)
  }
  for (const name of ['listens-1', 'listens-2']) {
    const port = await freePort()
    const settings = { STUDIO_INBOUND_NODE: '1', STUDIO_INBOUND_PORT: String(port) }
    const me = await member(name, true, await openNetwork(t, `127.0.0.1:${port}`), lentDisk(), settings)
    me.start()
    await me.enrol()
    members.push(me)
  }
  await Promise.all(members.map((me) => connected(world, me)))

  return {
    world,
    dataDir,
    members,
    hasDisk: disk !== null,

    async kill(me: Member): Promise<string> {
      const how = await me.program.end('SIGKILL')
      return how === 'SIGKILL' ? `${me.name} died` : ''
    },
    /** An orderly stop, in the middle of its work. */
    async stop(me: Member): Promise<string> {
      const how = await me.program.end('SIGTERM')
      return how === 0 ? `${me.name} stopped in order` : ''
    },
    async freeze(me: Member, ms: number): Promise<string> {
      me.program.signal('SIGSTOP')
      await clock.sleep(ms)
      const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${me.program.pid}/status`, 'utf8'))?.[1]
      me.program.signal('SIGCONT')
      return state === 'T' ? `${me.name} stood still for ${Math.round(ms)} ms` : ''
    },
    cut: (me: Member): string => (me.network.cut() > 0 ? `the link of ${me.name} was cut` : ''),
    /**
     * Open at both ends and silent in between, like a peer that lost power. The kernel drops the packets if that is permitted; otherwise the
     * proxy holds them back.
     */
    async halfOpen(me: Member, ms: number): Promise<string> {
      const dropped = drops ? await dropPackets(t, Number(me.network.address.split(':').at(-1)), ms) : null
      if (dropped !== null) return dropped > 0 ? `${dropped} packets of ${me.name} were dropped within ${Math.round(ms)} ms` : ''
      const open = me.network.open()
      me.network.stall()
      const passed = me.network.passed()
      await clock.sleep(ms)
      const now = me.network.passed()
      me.network.resume()
      return open > 0 && now.up - passed.up + now.down - passed.down < 1024 * 1024
        ? `the link of ${me.name} was silent for ${Math.round(ms)} ms`
        : ''
    },
    killHost(program: Program): string {
      const host = hostsOf(program).filter(isAlive).at(-1)
      if (host === undefined) return ''
      process.kill(host, 'SIGKILL')
      return `engine host ${host} died`
    },
    killLocalAgent(): string {
      const pid = world.studio.lines().findLast(({ msg }) => msg === 'the local agent was started')?.['pid'] as number | undefined
      if (!pid || !isAlive(pid)) return ''
      process.kill(pid, 'SIGKILL')
      return `the local agent ${pid} died`
    },
    async restartStudio(signal: 'SIGTERM' | 'SIGKILL'): Promise<string> {
      const { pid } = world.studio
      await world.restart(signal)
      return world.studio.pid === pid ? '' : `the studio was ended with ${signal} and started again`
    },
    async lie(count: number): Promise<string> {
      const from = world.studio.output().length
      writeFileSync(lies, String(count))
      const match = await world.studio.says(/lying disk/, { from, ms: 5_000 }).catch(() => null)
      writeFileSync(lies, '0')
      // A studio that cannot verify the content of its disk exits, and a supervisor restarts it.
      if (match) {
        await world.studio.ended
        await world.restart()
      }
      return match ? 'a write was done and reported as failed' : ''
    },
    /** A row of a task that the database refuses fails this task, or its admission, and nothing else. */
    async refuseRows(count: number): Promise<string> {
      const from = world.studio.output().length
      writeFileSync(refusals, String(count))
      const match = await world.studio.says(/a batch was not written and is undone/, { from, ms: 5_000 }).catch(() => null)
      writeFileSync(refusals, '0')
      return match && world.studio.output().slice(from).includes('refused row: ') ? 'a row of a task was refused' : ''
    },
    /** `folder`: of the studio or of a machine. */
    async fillDisk(folder: string, ms: number): Promise<string> {
      const ballast = join(folder, 'ballast')
      let isFull = false
      for (const size of [2 ** 20, 2 ** 14, 2 ** 12])
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
        } catch (error) {
          isFull = (error as { code?: string }).code === 'ENOSPC'
        }
      await clock.sleep(ms)
      rmSync(ballast, { force: true })
      return isFull ? `the disk with ${folder} was full for ${Math.round(ms)} ms` : ''
    },
    /** Moves the clock of every program of this world. */
    async jump(hours: number): Promise<string> {
      const now = Number(readFileSync(offset, 'utf8').match(/\+(\d+)/)![1])
      writeFileSync(offset, `+${now + hours * 3600}\n`)
      await clock.sleep(1_500) // the programs poll once a second
      return `the clock jumped ${hours} hours ahead`
    },
    async withdraw(me: Member, ms: number): Promise<string> {
      const { status } = await world.delete(`/workers/${me.workerId}/consent`)
      await clock.sleep(ms)
      await patiently(() => world.send('POST', `/workers/${me.workerId}/consent`))
      return status === 200 ? `the consent for ${me.name} was withdrawn` : ''
    },
    async revoke(me: Member): Promise<string> {
      const { status } = await world.delete(`/workers/${me.workerId}`)
      if (!me.isInbound) await me.program.end('SIGKILL')
      await me.enrol()
      if (!me.isInbound) me.start()
      return status === 200 ? `${me.name} was removed and joined again` : ''
    },
    async drain(me: Member, ms: number): Promise<string> {
      const { status } = await world.post(`/workers/${me.workerId}/drain`, { drain: true })
      await clock.sleep(ms)
      await patiently(() => world.post(`/workers/${me.workerId}/drain`, { drain: false }))
      return status === 200 ? `${me.name} was drained` : ''
    },
    async rotate(step: 'prepare' | 'activate'): Promise<string> {
      const { status } = await world.post('/workers/authority', { step })
      return status === 200 ? `the authority went on: ${step}` : ''
    },
  }
}

/** Drops the packets from and to the port on this machine. Resolves with the number of packets, or with null if that is not permitted. */
async function dropPackets(t: TestContext, port: number, ms: number): Promise<number | null> {
  const rules = ['--dport', '--sport'].map((side) => ['INPUT', '-i', 'lo', '-p', 'tcp', side, String(port), '-j', 'DROP'])
  const firewall = (...args: string[]) => execFileSync('iptables', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  const lift = () => {
    for (const rule of rules.splice(0)) firewall('-D', ...rule)
  }
  try {
    for (const rule of rules) firewall('-I', ...rule)
  } catch {
    return null
  }
  t.after(lift)
  await clock.sleep(ms)
  const counted = [...firewall('-nvxL', 'INPUT').matchAll(new RegExp(`^\\s*(\\d+) .*[ds]pts?:${port}\\b`, 'gm'))]
  lift()
  return counted.reduce((sum, [, packets]) => sum + Number(packets), 0)
}

/** Repeats while the studio is down or busy. */
async function patiently<T extends { readonly status: number }>(call: () => Promise<T>): Promise<T> {
  return eventually(async () => {
    const reply = await call().catch(() => null)
    return reply && reply.status !== 409 && reply.status < 500 ? reply : null
  }, 180_000)
}

const connected = (world: World, { workerId }: Member): Promise<unknown> =>
  eventually(async () => {
    const { workers } = (await world.get('/workers')).json()
    return workers.find(({ id }: { id: string }) => id === workerId)?.connected
  }, 180_000)
