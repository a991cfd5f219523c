// Tries in a child process whether the library can open certain files: for an incomplete file or a graph of another model the library ends
// its process, which must not be the engine host with other tasks.

import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { withoutFolders } from '#agent/engine/runtimes/without-folders.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fork } from '#shared/runtime/child/process.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { signalChild } from '#shared/runtime/program.ts'

/** The argument of the child process, as JSON. */
export const PlanArgument = z.object({
  kind: z.enum(['offline', 'online', 'identifier']),
  config: z.record(z.string(), z.unknown()),
})
export type ModelPlan = {
  readonly kind: z.output<typeof PlanArgument>['kind']
  readonly config: object
  readonly files: readonly string[]
}
/** Throws MODEL_NOT_DOWNLOADED, INSUFFICIENT_MEMORY, MODEL_LOAD_TIMEOUT, WORKER_FAILED for a trial that could not run. */
export type ModelTrial = (plan: ModelPlan) => Promise<void>

const CHILD = fileURLToPath(new URL('./trial-child.ts', import.meta.url))
/** Models may have gigabytes on a slow disk. */
const TIMEOUT_MS = 120_000
const MAX_OUTPUT_CHARACTERS = 4_000

export const createModelTrial = (clock: Clock, child = CHILD, limitMs = TIMEOUT_MS): ModelTrial => {
  /** Plans that opened once are not tried again: files of a model do not change while its host runs. */
  const proven = new Set<string>()
  return async (plan) => {
    const { kind, config, files } = plan
    const key = JSON.stringify({ kind, config })
    if (proven.has(key)) return
    const reason = await openInChild(key)
    if (reason instanceof Failure) throw reason
    if (reason === null) {
      proven.add(key)
      return
    }
    const details = withoutFolders(reason, files).slice(0, 300).replace(/\.$/, '')
    if (/alloc|out of memory|SIGKILL/i.test(details))
      throw new Failure('INSUFFICIENT_MEMORY', `The model does not fit into the memory of this machine: ${details}.`)
    throw new Failure('MODEL_NOT_DOWNLOADED', `The model is incomplete or damaged (${details}). Download it again.`)
  }

  /** Null for a model that opens, what the library says of another one, and a failure that says nothing about the model. */
  function openInChild(plan: string): Promise<string | Failure | null> {
    return new Promise((resolve) => {
      const started = fork(child, [plan], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
      let isSettled = false
      const cancelTimeout = clock.after(limitMs, () =>
        settle(new Failure('MODEL_LOAD_TIMEOUT', `The model was not opened within ${Math.round(limitMs / 1000)} s.`)),
      )
      const settle = (answer: string | Failure | null) => {
        if (isSettled) return
        isSettled = true
        cancelTimeout()
        signalChild(started, 'SIGKILL')
        resolve(answer)
      }
      const output = lastText(started.stderr, MAX_OUTPUT_CHARACTERS)
      started.on('message', ({ reason }: { reason: string | null }) =>
        settle(reason === null ? null : `${reason} ${trialFailure(output())}`.trim()),
      )
      started.on('error', (error) =>
        settle(new Failure('WORKER_FAILED', `The model could not be tried: ${error.message}.`, { cause: error })),
      )
      // `close` comes after the rest of standard error.
      started.on('close', (code, signal) => settle(trialFailure(output()) || `the library ended with ${signal ?? `exit code ${code}`}`))
    })
  }
}

/** The last sentence of the library's error output, without source locations. */
export function trialFailure(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^\s*(?:what\(\):\s*|\/[^\s:]+\.(?:cc|h):[^\s:]+:\d+\s+)/, '').trim())
    .filter(
      (line) =>
        line !== '' && !/^(?:Errors in config|terminate called|at |Please |index: |Caught exception|Return an empty result)/.test(line),
    )
  return lines.at(-1) ?? ''
}
