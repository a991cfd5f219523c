// Tries in a child process whether a device works, or opens a certain graph. A crash or a timeout of the child means that it does not.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Clock } from '#shared/runtime/clock.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { signalChild } from '#shared/runtime/program.ts'

/** The reason why the device does not work; null when it does. Without a file only the device itself is tried. */
export type GraphTrial = (device: string, file: string | null) => Promise<string | null>

const CHILD = fileURLToPath(new URL('./trial-child.ts', import.meta.url))
/** The first use of a GPU compiles shaders, and graphs may have gigabytes. */
const DEVICE_LIMIT_MS = 30_000
const GRAPH_LIMIT_MS = 120_000

export const createGraphTrial =
  ({ clock = systemClock, child = CHILD, limitMs }: { clock?: Clock; child?: string; limitMs?: number } = {}): GraphTrial =>
  (device, file) =>
    new Promise((resolve) => {
      const started = fork(child, file === null ? [device] : [device, file], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      const limit = limitMs ?? (file === null ? DEVICE_LIMIT_MS : GRAPH_LIMIT_MS)
      const cancelTimeout = clock.after(limit, () => settle(`did not answer within ${Math.round(limit / 1000)} s`))
      let isSettled = false
      const settle = (answer: string | null) => {
        if (isSettled) return
        isSettled = true
        cancelTimeout()
        signalChild(started, 'SIGKILL')
        resolve(answer)
      }
      started.on('message', (answer: { why: string | null }) => settle(answer.why))
      started.on('error', (error) => settle(`cannot be tried: ${error.message}`))
      started.on('exit', (code, signal) => settle(`crashed when it was tried (${signal ?? `exit code ${code}`})`))
    })

export const loadInChild: GraphTrial = createGraphTrial()
