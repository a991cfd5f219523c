// Whether the library can open certain files, asked of a throw-away child: over half a file, or a graph of another model, it ends the process
// it lives in, and that must not be the engine host with the tasks of others.

import { fork } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { signalChild } from '#shared/runtime/program.ts'

/** What the child is given on its command line. */
export const PlanArgument = z.object({
  kind: z.enum(['offline', 'online', 'diariser', 'identifier']),
  config: z.record(z.string(), z.unknown()),
})
export type ModelPlan = {
  readonly kind: z.output<typeof PlanArgument>['kind']
  readonly config: object
  readonly files: readonly string[]
}
/** Throws MODEL_NOT_DOWNLOADED, INSUFFICIENT_MEMORY. */
export type ModelTrial = (plan: ModelPlan) => Promise<void>

const CHILD = fileURLToPath(new URL('./trial-child.ts', import.meta.url))
/** Gigabytes are read from a slow disk. */
const LIMIT_MS = 120_000
const MOST_SAID = 4_000

export const createModelTrial = (clock: Clock, child = CHILD, limitMs = LIMIT_MS): ModelTrial => {
  /** What was opened once is not tried again: files of a model do not change while its host lives. */
  const proven = new Set<string>()
  return async (plan) => {
    const { kind, config, files } = plan
    const key = JSON.stringify({ kind, config })
    if (proven.has(key)) return
    const why = await ask(key)
    if (why === null) {
      proven.add(key)
      return
    }
    const words = files.reduce((said, file) => said.replaceAll(`${dirname(file)}/`, ''), why).slice(0, 300)
    if (/alloc|out of memory|SIGKILL/i.test(words))
      throw new Failure('INSUFFICIENT_MEMORY', `the model does not fit into the memory of this machine: ${words}`)
    throw new Failure('MODEL_NOT_DOWNLOADED', `the model is not complete or not what it should be; download it again: ${words}`)
  }

  function ask(plan: string): Promise<string | null> {
    return new Promise((resolve) => {
      const started = fork(child, [plan], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
      let said = ''
      let isSettled = false
      const forget = clock.after(limitMs, () => settle(`it was not opened within ${Math.round(limitMs / 1000)} s`))
      const settle = (answer: string | null) => {
        if (isSettled) return
        isSettled = true
        forget()
        signalChild(started, 'SIGKILL')
        resolve(answer)
      }
      started.stderr!.on('data', (bytes: Buffer) => {
        said = (said + bytes.toString('utf8')).slice(-MOST_SAID)
      })
      started.on('message', ({ why }: { why: string | null }) => settle(why === null ? null : `${why} ${trialFailure(said)}`.trim()))
      started.on('error', (error) => settle(`it cannot be tried: ${error.message}`))
      // After its last words have come.
      started.on('close', (code, signal) => settle(trialFailure(said) || `the library ended with ${signal ?? `exit code ${code}`}`))
    })
  }
}

/** The last sentence of what the library wrote, without the places in its own sources. */
export function trialFailure(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.replace(/^\s*(?:what\(\):\s*|\/\S+\.(?:cc|h):\S+:\d+\s+)/, '').trim())
    .filter(
      (line) =>
        line !== '' && !/^(?:Errors in config|terminate called|at |Please |index: |Caught exception|Return an empty result)/.test(line),
    )
  return lines.at(-1) ?? ''
}
