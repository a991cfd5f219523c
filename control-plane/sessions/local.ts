// The studio's own agent: the same program as on a borrowed machine, run as a child process, enrolled with a code and reached over mutual
// TLS on a Unix socket. It is restarted with backoff whenever it ends, until the studio stops.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { DownloadSource, FinishMessage, ProxyEnvironment } from '#shared/protocol/agent-control.ts'
import { backoff } from '#shared/protocol/backoff.ts'
import { spawn } from '#shared/runtime/child/process.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { signalChild } from '#shared/runtime/program.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Service } from '#shared/runtime/service.ts'

type Deps = {
  /** The environment of the child, settings included. */
  readonly environment: Readonly<Record<string, string>>
  /** A new invitation for the worker `local`. Rejects with STORAGE_FULL. */
  readonly invite: () => Promise<Invitation>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Runs the agent; by default the program that runs the studio. */
  readonly program?: string
  readonly platform?: NodeJS.Platform
}
type Invitation = {
  readonly id: string
  readonly secret: string
  readonly pins: readonly string[]
  readonly endpoints: readonly { path: string }[]
  readonly known: boolean
}
const PROGRAM = join(import.meta.dirname, '../../agent/main.ts')
const STOP_MS = 15_000 // the agent's own 10 s, and time to end its hosts

type LocalAgentService = Service & {
  readonly pid: () => number | null
  /** Time of the monotonic clock; -Infinity before the first start. */
  readonly startedAt: () => number
  /** Sets where the agent downloads models from, now and after each start. The token is sent over a private channel. */
  readonly setDownloadSource: (source: DownloadSource) => void
  /** Sets the proxies of its downloads, now and after each start. They may contain passwords, so they are not in its environment. */
  readonly setProxies: (proxies: ProxyEnvironment) => void
}

export function createLocalAgent({
  environment,
  invite,
  clock,
  random,
  log,
  program = process.execPath,
  platform = process.platform,
}: Deps): LocalAgentService {
  let child: ChildProcess | null = null
  let downloadSource: DownloadSource | null = null
  let proxies: ProxyEnvironment = {}
  /** The child that has its invitation. Before that it would take any message for one. */
  let invited: ChildProcess | null = null
  let stopping = false
  let failures = 0
  let lastStart = Number.NEGATIVE_INFINITY
  let cancelRestart = () => {}

  function run(): void {
    const startedAt = clock.mono()
    lastStart = startedAt
    const ended = (reason: object) => {
      child = null
      if (stopping) return
      failures = clock.mono() - startedAt > 30_000 ? 0 : failures + 1
      const waitMs = backoff(failures, random.unit(), 100, 10_000)
      log.warn({ ...reason, waitMs: Math.round(waitMs) }, 'the local agent ended and is started again')
      cancelRestart = clock.after(waitMs, run)
    }
    let started: ChildProcess
    try {
      // In a process group of its own: Ctrl-C in a terminal reaches a whole group, and the studio ends its agent itself, after its requests.
      started = spawn(program, [PROGRAM, 'local'], {
        env: environment,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: true,
        windowsHide: true,
      })
    } catch (error) {
      return ended({ err: String(error) }) // such as too many open files
    }
    // There is no process, so there is no exit either.
    if (started.pid === undefined) return void started.once('error', (error) => ended({ err: String(error) }))
    child = started
    log.info({ pid: started.pid }, 'the local agent was started')
    started.once('message', () => void sendInvitation(started))
    started.on('error', (error) => log.error({ err: String(error) }, 'a message did not reach the local agent'))
    started.once('exit', (code, signal) => ended({ code, signal }))
  }

  async function sendInvitation(started: ChildProcess): Promise<void> {
    try {
      const invitation = await invite()
      invited = started
      started.send({ ...invitation, proxies, ...(downloadSource && { downloadSource }) }, () => {}) // a child that has ended is noticed by its exit
    } catch (error) {
      log.error({ err: String(error) }, 'the local agent could not be invited and is started again')
      askToStop(started, platform)
    }
  }

  const sendChange = (message: object): void => {
    if (invited !== null && invited === child && invited.connected) invited.send(message, () => {})
  }

  return {
    name: 'local-agent',
    pid: () => child?.pid ?? null,
    startedAt: () => lastStart,
    setDownloadSource(source) {
      downloadSource = source
      sendChange({ downloadSource })
    },
    setProxies(changed) {
      proxies = changed
      sendChange({ proxies })
    },
    start() {
      stopping = false
      run()
    },
    async stop() {
      stopping = true
      cancelRestart()
      const running = child
      if (!running) return
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      askToStop(running, platform)
      const cancelKill = clock.after(STOP_MS, () => signalChild(running, 'SIGKILL'))
      await ended
      cancelKill()
    },
  }
}

/** SIGTERM, or where a program cannot handle it, a message. A child that no longer listens is ended. */
function askToStop(child: ChildProcess, platform: NodeJS.Platform): void {
  if (platform !== 'win32') return signalChild(child, 'SIGTERM')
  const ask: FinishMessage = { finish: true }
  if (child.connected) child.send(ask, (error) => void (error && signalChild(child, 'SIGKILL')))
  else signalChild(child, 'SIGKILL')
}
