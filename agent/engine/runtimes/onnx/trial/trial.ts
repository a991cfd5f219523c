// Tries in a child process whether a device works, or opens a certain graph. A crash or a timeout of the child means that it does not.

import { fileURLToPath } from 'node:url'
import { fork } from '#shared/runtime/child/process.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { signalChild } from '#shared/runtime/program.ts'
import { causeOf, type TrialAnswer } from './cause.ts'

/** The reason why the device is not used; null when it works and is faster than the CPU. Without a file only the device itself is tried. */
export type GraphTrial = (device: string, file: string | null) => Promise<string | null>

const CHILD = fileURLToPath(new URL('./trial-child.ts', import.meta.url))
/** The first use of a GPU compiles shaders, and graphs may have gigabytes. */
const DEVICE_LIMIT_MS = 60_000
const GRAPH_LIMIT_MS = 120_000
/** Longest wait for the rest of standard error after the answer: a driver may hang although its process was killed. */
const ERRORS_MS = 1_000
const MAX_ERROR_CHARACTERS = 16_384

export const createGraphTrial =
  ({ clock = systemClock, child = CHILD, limitMs }: { clock?: Clock; child?: string; limitMs?: number } = {}): GraphTrial =>
  (device, file) =>
    new Promise((resolve) => {
      const started = fork(child, file === null ? [device] : [device, file], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
      const errors = lastText(started.stderr, MAX_ERROR_CHARACTERS)
      const limit = limitMs ?? (file === null ? DEVICE_LIMIT_MS : GRAPH_LIMIT_MS)
      const forgets = [clock.after(limit, () => settle(`it did not answer within ${Math.round(limit / 1000)} s`))]
      let answer: TrialAnswer | null = null
      const settle = (why: string | null) => {
        for (const forget of forgets) forget()
        signalChild(started, 'SIGKILL')
        resolve(why)
      }
      started.on('message', (sent: TrialAnswer) => {
        answer = sent
        forgets.push(clock.after(ERRORS_MS, () => settle(causeOf(sent, errors()))))
        signalChild(started, 'SIGKILL')
      })
      started.on('error', (error) => settle(`it cannot be tried: ${error.message}`))
      started.on('close', (code, signal) =>
        settle(answer ? causeOf(answer, errors()) : `it crashed when it was tried (${signal ?? `exit code ${code}`})`),
      )
    })

export const loadInChild: GraphTrial = createGraphTrial()
