// Preloaded into a studio: while the file named by VOICE_STUDIO_TEST_KILL exists, admissions wait in memory for a minute instead of a few
// milliseconds, and the studio is killed right before it writes a task that a machine has accepted already.
import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { Writes } from '#control-plane/store/journal.ts'

const path = process.env['VOICE_STUDIO_TEST_KILL']
const isOn = () => path !== undefined && existsSync(path)

/** The constant of store/group-commit.ts. */
const WAIT_MS = 5
const after = globalThis.setTimeout
globalThis.setTimeout = Object.assign(
  ((run: () => void, ms?: number, ...args: []) => after(run, ms === WAIT_MS && isOn() ? 60_000 : ms, ...args)) as typeof after,
  after,
)

const transaction = Sqlite.prototype.transaction
Sqlite.prototype.transaction = function (this: Sqlite.Database, run: (...args: unknown[]) => unknown) {
  const made = transaction.call(this, run)
  const immediate = (...args: unknown[]) => {
    const { newTasks, changedAttempts } = (args[0] ?? {}) as Partial<Writes>
    if (newTasks?.size && changedAttempts?.length && isOn()) process.kill(process.pid, 'SIGKILL')
    return made.immediate(...args)
  }
  return Object.assign((...args: unknown[]) => made(...args), { ...made, immediate })
} as typeof transaction
