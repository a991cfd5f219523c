// One engine host as seen by the agent: starts it, exchanges messages, monitors its heartbeat, ends it. Independent of runs.

import type { Readable } from 'node:stream'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroupOf } from '#shared/runtime/child/group.ts'
import { fork } from '#shared/runtime/child/process.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { readLog } from '#shared/runtime/lines.ts'
import type { Log } from '#shared/runtime/log.ts'
import { lowerPriority, signalChild } from '#shared/runtime/program.ts'
import { loop } from '#shared/runtime/service.ts'
import type { FromHost, ToHost } from './messages.ts'

const WATCH_INTERVAL_MS = 1_000
/** The line that Node prints with --inspect, and the one after it. */
const INSPECTOR = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d{1,5})\//
const INSPECTOR_HELP = 'For help, see: '

export type HostProcess = {
  readonly pid: number | undefined
  readonly send: (message: ToHost) => void
  /** Sends SIGKILL. `exited` resolves with the first `reason`. */
  readonly kill: (reason: Failure) => void
  /** Requests unload and exit; kills the process after `graceMs`. */
  readonly end: (graceMs: number) => Promise<void>
  /** Resolves when the process has exited; null after an exit on request. */
  readonly exited: Promise<Failure | null>
}

type Deps = {
  path: string
  group: string
  development: boolean
  /** Accepts an inspector on a free port of this machine, which the log names. A host that stands still at a breakpoint is not ended. */
  inspect: boolean
  /** Folder of the models; '' when there is none. */
  modelsFolder: string
  environment: Readonly<Record<string, string>>
  sidecars?: string
  /** `auto` or the family that the owner chose. */
  deviceFamily?: string
  clock: Clock
  log: Log
  maxBlockSeconds: number
  maxSilenceSeconds: number
  maxStartSeconds: number
  onMessage: (message: Exclude<FromHost, { type: 'programs' }>) => void
}

export function startHostProcess(deps: Deps): HostProcess {
  const { clock, log, group } = deps
  const mode = deps.development ? 'development' : 'production'
  const child = fork(deps.path, [group, mode, deps.modelsFolder, deps.sidecars ?? '', deps.deviceFamily ?? 'auto'], {
    serialization: 'advanced', // transfers Buffers without JSON
    execArgv: deps.inspect ? ['--inspect=127.0.0.1:0'] : [],
    env: { ...deps.environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
  lowerPriority(child.pid)
  let reason: Failure | null = null
  let isEnding = false
  let programs: readonly number[] = []

  const kill = (why: Failure) => {
    reason ??= why
    signalChild(child, 'SIGKILL')
  }
  const killHung = (what: string) => kill(new Failure('ENGINE_HUNG', `The engine process of ${group} ${what}.`))

  // Silence is counted in passes, not in time: after a suspend of the agent, the pending heartbeats arrive before its next pass.
  let silentPasses = 0
  let silence = deps.maxStartSeconds
  let busySeconds = 0
  // A process that could not be started has no streams.
  const streams = child.stdio ?? []
  ;(streams[4] as Readable | undefined)?.on('data', (beats: Buffer) => {
    silentPasses = 0
    silence = deps.maxSilenceSeconds
    busySeconds = beats.at(-1)!
  })
  const watch = loop(
    `watch-${group}`,
    async (signal) => {
      await clock.sleep(WATCH_INTERVAL_MS, signal)
      silentPasses++
      if (silentPasses > silence) killHung(`sent no heartbeat for ${silence} s`)
      else if (busySeconds > deps.maxBlockSeconds) killHung(`was blocked by one step for ${deps.maxBlockSeconds} s`)
    },
    (error) => kill(Failure.from(error)),
  )

  const exited = new Promise<Failure | null>((resolve) => {
    const gone = (detail: string) => {
      void watch.stop()
      for (const pid of programs) killGroupOf(pid)
      resolve(reason ?? (isEnding ? null : new Failure('ENGINE_CRASHED', `The engine process of ${group} died (${detail}).`)))
    }
    child.on('exit', (code, signal) => gone(signal ?? `exit code ${code}`))
    child.on('error', (error) => {
      log.error({ group, error: error.message }, 'engine host: process error')
      if (child.pid === undefined) gone('it did not start')
    })
  })

  child.on('message', (message: FromHost) => {
    if (message.type === 'programs') programs = message.pids
    else deps.onMessage(message)
  })
  // The exit that follows reports a broken pipe.
  for (const stream of streams) stream?.on('error', () => {})
  if (child.stderr) readLog(child.stderr, clock, logLine)
  if (!deps.inspect) void watch.start()

  function logLine(line: string): void {
    if (deps.inspect && line.startsWith(INSPECTOR_HELP)) return
    const port = deps.inspect ? INSPECTOR.exec(line)?.[1] : undefined
    if (port === undefined) return log.warn({ group, line }, 'engine host: standard error')
    const notice = `The engine host ${group} accepts an inspector at 127.0.0.1:${port}.`
    log.info({ group, pid: child.pid, port: Number(port), notice }, 'engine host accepts an inspector')
  }

  const send = (message: ToHost) => {
    if (child.connected) child.send(message, () => {})
  }
  return {
    pid: child.pid,
    send,
    kill,
    exited,
    async end(graceMs) {
      isEnding = true
      send({ type: 'unload' })
      const stopWaiting = clock.after(graceMs, () => signalChild(child, 'SIGKILL'))
      await exited
      stopWaiting()
    },
  }
}
