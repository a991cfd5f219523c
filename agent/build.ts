// Puts the agent together: engines, attempts, service, connection. The same for the local agent and for a borrowed machine.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Tracing } from '#shared/trace/tracing.ts'
import { createAttempts } from './attempts.ts'
import { createConnection } from './connect.ts'
import { createPool } from './engine/pool.ts'
import { createDescribe, freeMemory } from './fingerprint.ts'
import type { AgentIdentity, IdentityFile } from './identity.ts'
import type { LogSource } from './log-lines.ts'
import { createService } from './service.ts'

export type AgentParts = {
  readonly folder: string
  readonly file: IdentityFile
  readonly identity: AgentIdentity
  readonly development: boolean
  /** What the engine hosts may see of the environment. */
  readonly hostEnvironment: Readonly<Record<string, string>>
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tracing: Tracing
  /** What this studio may read of the log. */
  readonly lines: LogSource
  readonly onRefused: (failure: Failure) => void
}
export type Agent = { readonly start: () => Promise<void>; readonly stop: (graceMs: number) => Promise<void> }

export function buildAgent({
  folder,
  file,
  identity,
  development,
  hostEnvironment,
  retry,
  clock,
  random,
  log,
  tracing,
  lines,
  onRefused,
}: AgentParts): Agent {
  const workDir = privateFolder(join(folder, 'work'))
  // Whatever an earlier run left behind belongs to attempts that nobody can ask for any more.
  for (const name of readdirSync(workDir)) rmSync(join(workDir, name), { force: true })

  const pool = createPool({ clock, random, log, development, environment: hostEnvironment })
  const attempts = createAttempts({ pool, clock, log, workDir, tracing })
  const { service, beginDrain } = createService({
    attempts,
    describe: createDescribe(pool, () => identity.generation),
    resident: pool.resident,
    freeMemory,
    lines,
    clock,
    log,
  })
  const connection = createConnection({
    file,
    identity,
    service,
    clock,
    random,
    log,
    retry,
    onRefused(failure) {
      // Nobody will ask for it any more, and a machine that was removed has no business with what it was lent for.
      attempts.wipe('the studio has removed this machine')
      onRefused(failure)
    },
  })

  return {
    async start() {
      await pool.start()
      await connection.start()
    },
    /** Takes nothing new, finishes what it holds within the grace, gives the rest back, and leaves no process behind. */
    async stop(graceMs) {
      beginDrain()
      const grace = new AbortController()
      const forget = clock.after(graceMs, () => grace.abort())
      if (!(await attempts.drained(grace.signal))) {
        for (const attempt of attempts.all()) attempts.cancel(attempt, 'WORKER_DRAINING', 'the machine is stopping')
        await Promise.race([Promise.all([...attempts.all()].map(({ ended }) => ended)), clock.sleep(3_000)])
      }
      forget()
      await connection.stopServing(500)
      await connection.stop()
      await pool.stop()
      await tracing.stop()
    },
  }
}
