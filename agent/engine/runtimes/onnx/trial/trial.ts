// Tries in a child process whether a device works, or opens a certain graph. A crash or a timeout of the child means that it does not.

import { fileURLToPath } from 'node:url'
import { type GpuCause, gpuCause } from '#shared/protocol/fields/gpu-causes.ts'
import { fork } from '#shared/runtime/child/process.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { signalChild } from '#shared/runtime/program.ts'
import { isInContainer } from './cards.ts'
import { causeOf, type TrialAnswer } from './cause.ts'

/** The reason why the device is not used; null when it works and is faster than the CPU. Without a file only the device itself is tried. */
export type GraphTrial = (device: string, file: string | null) => Promise<string | null>
/** The same for a device alone, with a code of the cause. Never rejects. */
export type DeviceTrial = (device: string) => Promise<GpuCause | null>

const CHILD = fileURLToPath(new URL('./trial-child.ts', import.meta.url))
/** The first use of a GPU compiles shaders, and graphs may have gigabytes. */
const DEVICE_LIMIT_MS = 60_000
const GRAPH_LIMIT_MS = 120_000
/** Longest wait for the rest of standard error after the answer: a driver may hang although its process was killed. */
const ERRORS_MS = 1_000
const MAX_ERROR_CHARACTERS = 16_384

type TrialDeps = {
  readonly clock?: Clock
  readonly child?: string
  readonly limitMs?: number
  /** Complete environment of the child; by default what every child gets from this process. */
  readonly environment?: Readonly<Record<string, string>>
  readonly inContainer?: () => boolean
}

export function createGraphTrial(deps: TrialDeps = {}): GraphTrial {
  const run = trialOf(deps)
  return async (device, file) => (await run(device, file))?.reason ?? null
}

export function createDeviceTrial(deps: TrialDeps = {}): DeviceTrial {
  const run = trialOf(deps)
  return (device) => run(device, null).catch((error: Error) => gpuCause('cannot-try', error.message))
}

const trialOf =
  ({ clock = systemClock, child = CHILD, limitMs, environment, inContainer = isInContainer }: TrialDeps) =>
  (device: string, file: string | null): Promise<GpuCause | null> =>
    new Promise((resolve) => {
      const started = fork(child, file === null ? [device] : [device, file], {
        execArgv: [],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        ...(environment && { env: environment }),
      })
      const errors = lastText(started.stderr, MAX_ERROR_CHARACTERS)
      const limit = limitMs ?? (file === null ? DEVICE_LIMIT_MS : GRAPH_LIMIT_MS)
      const forgets = [clock.after(limit, () => settle(gpuCause('no-answer', `${Math.round(limit / 1000)} s`)))]
      let answer: TrialAnswer | null = null
      const settle = (why: GpuCause | null) => {
        for (const forget of forgets) forget()
        signalChild(started, 'SIGKILL')
        resolve(why)
      }
      const causeIn = (sent: TrialAnswer) => causeOf(sent, errors(), { inContainer: inContainer() })
      started.on('message', (sent: TrialAnswer) => {
        answer = sent
        forgets.push(clock.after(ERRORS_MS, () => settle(causeIn(sent))))
        signalChild(started, 'SIGKILL')
      })
      started.on('error', (error) => settle(gpuCause('cannot-try', error.message)))
      started.on('close', (code, signal) => settle(answer ? causeIn(answer) : gpuCause('driver-crash', `${signal ?? `exit code ${code}`}`)))
    })

export const loadInChild: GraphTrial = createGraphTrial()
