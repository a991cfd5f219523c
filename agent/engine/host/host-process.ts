// The agent's view of one engine host: starts it, talks to it, watches its beat, ends it. Knows nothing about runs.

import { fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { putBehind } from '#shared/runtime/niceness.ts'
import { signalChild } from '#shared/runtime/program.ts'
import { loop } from '#shared/runtime/service.ts'
import type { FromHost, ToHost } from './messages.ts'

const WATCH_EVERY_MS = 1_000

export type HostProcess = {
  readonly pid: number | undefined
  readonly send: (message: ToHost) => void
  /** SIGKILL. `reason` is what `exited` resolves with; the first reason counts. */
  readonly kill: (reason: Failure) => void
  /** Asks it to unload and leave; kills it when it has not left after `graceMs`. */
  readonly end: (graceMs: number) => Promise<void>
  /** Resolves once the process is gone; null when it was asked to leave. */
  readonly exited: Promise<Failure | null>
}

type Deps = {
  path: string
  group: string
  development: boolean
  /** Folder of the models; '' when there is none. */
  modelsFolder: string
  environment: Readonly<Record<string, string>>
  sidecars?: string
  clock: Clock
  log: Log
  maxBlockSeconds: number
  maxSilenceSeconds: number
  maxStartSeconds: number
  onMessage: (message: FromHost) => void
}

export function startHostProcess(deps: Deps): HostProcess {
  const { clock, log, group } = deps
  const child = fork(deps.path, [group, deps.development ? 'development' : 'production', deps.modelsFolder, deps.sidecars ?? ''], {
    serialization: 'advanced', // Buffers travel as they are instead of as JSON
    execArgv: [],
    env: { ...deps.environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
  putBehind(child.pid)
  let reason: Failure | null = null
  let isLeaving = false

  const kill = (why: Failure) => {
    reason ??= why
    signalChild(child, 'SIGKILL')
  }
  const hung = (what: string) => kill(new Failure('ENGINE_HUNG', `the engine process of ${group} ${what}`))

  // Silence is counted in passes, not in time: an agent that was itself asleep finds the beats of the meantime waiting before its next pass.
  let silentPasses = 0
  let silence = deps.maxStartSeconds
  let busySeconds = 0
  ;(child.stdio[4] as Readable).on('data', (beats: Buffer) => {
    silentPasses = 0
    silence = deps.maxSilenceSeconds
    busySeconds = beats.at(-1)!
  })
  const watch = loop(
    `watch-${group}`,
    async (signal) => {
      await clock.sleep(WATCH_EVERY_MS, signal)
      silentPasses++
      if (silentPasses > silence) hung(`gave no sign of life for ${silence} s`)
      else if (busySeconds > deps.maxBlockSeconds) hung(`did not come back from a step for ${deps.maxBlockSeconds} s`)
    },
    (error) => kill(Failure.from(error)),
  )

  const exited = new Promise<Failure | null>((resolve) => {
    const gone = (detail: string) => {
      void watch.stop()
      resolve(reason ?? (isLeaving ? null : new Failure('ENGINE_CRASHED', `the engine process of ${group} died (${detail})`)))
    }
    child.on('exit', (code, signal) => gone(signal ?? `exit code ${code}`))
    child.on('error', (error) => {
      log.error({ group, error: error.message }, 'engine host: process error')
      if (child.pid === undefined) gone('it did not start')
    })
  })

  child.on('message', (message) => deps.onMessage(message as FromHost))
  // A broken pipe is noticed by the exit that follows it.
  for (const stream of child.stdio) stream?.on('error', () => {})
  createInterface({ input: child.stderr! }).on('line', (line) =>
    log.warn({ group, line: line.slice(0, 500) }, 'engine host: standard error'),
  )
  void watch.start()

  const send = (message: ToHost) => {
    if (child.connected) child.send(message, () => {})
  }
  return {
    pid: child.pid,
    send,
    kill,
    exited,
    async end(graceMs) {
      isLeaving = true
      send({ type: 'unload' })
      const stopWaiting = clock.after(graceMs, () => signalChild(child, 'SIGKILL'))
      await exited
      stopWaiting()
    },
  }
}
