// The switch between two versions. The program that has ended makes it, or the command that found none running. Each step is durable before the next
// one, so that a process that is killed leaves one version that starts.
import { existsSync, rmSync } from 'node:fs'
import { Failure } from '#shared/protocol/failure.ts'
import { startOfProcess, stillRuns } from '#shared/runtime/child/process-start.ts'
import { currentProgram, switchProgram } from './folder.ts'
import { changePending, copyName, copyPath, type PendingSwitch, readSwitches, writeSwitches } from './state.ts'

/** The data that versions may change; an agent has none. */
export type SwitchedDatabase = {
  /** Copies the database to a new file, and syncs it. */
  readonly copy: (to: string) => void | Promise<void>
  /** Puts a copy in place of the database, which is kept. `note` gets the name of what is kept, in the data folder, before it is replaced. */
  readonly restore: (from: string, note?: (kept: string) => void) => Promise<void>
  /** Puts back what `restore` kept; nothing happens if it is gone. */
  readonly putBack: (kept: string) => void
  /** True if a newer version has changed the database. */
  readonly isNewer: () => boolean
  /** True if this version would change the database, which it did at its last start: an older one was put back since. */
  readonly isOlder: () => boolean
  /** A text that changes while the database, or a copy of it, is being written. */
  readonly progress: () => string
}

/** Throws what the disk refuses; the current version is then the one before. */
export async function makeSwitch(dataFolder: string, data: SwitchedDatabase | null): Promise<void> {
  const { pending } = readSwitches(dataFolder)
  if (pending === null) return
  if (data !== null && pending.changesDatabase && pending.copy === null) {
    const copy = copyName(pending.to)
    changePending(dataFolder, { moving: true })
    rmSync(copyPath(dataFolder, copy), { force: true })
    await data.copy(copyPath(dataFolder, copy))
    changePending(dataFolder, { copy, moving: false })
  }
  if (data === null || pending.restore === null) return switchProgram(dataFolder, pending.to)
  changePending(dataFolder, { moving: true })
  await data.restore(copyPath(dataFolder, pending.restore), (kept) => changePending(dataFolder, { kept }))
  try {
    changePending(dataFolder, { moving: false })
    await switchProgram(dataFolder, pending.to)
  } catch (error) {
    putBackKept(readSwitches(dataFolder).pending, data)
    throw error
  }
}

/** After a rollback that did not come about: its database is replaced by the one that it had replaced. */
function putBackKept(pending: PendingSwitch | null, data: SwitchedDatabase): void {
  if (pending !== null && pending.restore !== null && pending.kept !== null && data.isOlder()) data.putBack(pending.kept)
}

/** Notes the switch that is to come. Throws CONFLICT while another one is under way. */
export function planSwitch(dataFolder: string, plan: Pick<PendingSwitch, 'from' | 'to' | 'changesDatabase' | 'restore'>): void {
  const state = readSwitches(dataFolder)
  const { pending } = state
  if (pending?.failed && (pending.kept !== null || (pending.copy !== null && existsSync(copyPath(dataFolder, pending.copy)))))
    throw new Failure(
      'CONFLICT',
      `Version ${pending.to} did not start, and its start may have changed the database. Start version ${pending.from} once, which puts the database back.`,
    )
  if (pending && isCommandAlive(pending))
    throw new Failure('CONFLICT', `An update to ${pending.to} is under way (process ${pending.by}). Wait for it to end.`)
  writeSwitches(dataFolder, {
    ...state,
    failed: null,
    pending: {
      ...plan,
      by: process.pid,
      byStart: startOfProcess(process.pid),
      runner: null,
      runnerStart: null,
      at: Date.now(),
      copy: null,
      kept: null,
      moving: false,
      failed: false,
    },
  })
}

/** Forgets a switch that did not come about. */
export function dropSwitch(
  dataFolder: string,
  failed: { readonly version: string; readonly reason: string; readonly at: number } | null,
): void {
  const state = readSwitches(dataFolder)
  writeSwitches(dataFolder, { ...state, pending: null, failed: failed && { ...failed, reason: failed.reason.slice(0, 500) } })
}

/** `to` does not start: makes `from` the current version again. Its next start puts the database back. */
export async function switchBack(dataFolder: string, reason: string, now: number): Promise<PendingSwitch> {
  const { to, from } = changePending(dataFolder, { failed: true })
  const state = readSwitches(dataFolder)
  writeSwitches(dataFolder, { ...state, failed: { version: to, reason: reason.slice(0, 500), at: now } })
  if (currentProgram(dataFolder)?.version !== from) await switchProgram(dataFolder, from)
  return state.pending!
}

/** `from` starts after `to` has failed: its database is put back if `to` had changed it. */
export async function settleFailed(dataFolder: string, pending: PendingSwitch, data: SwitchedDatabase | null): Promise<void> {
  const copy = pending.copy === null ? null : copyPath(dataFolder, pending.copy)
  if (data !== null && copy !== null && existsSync(copy) && data.isNewer()) {
    changePending(dataFolder, { moving: true })
    await data.restore(copy)
  } else if (data !== null) putBackKept(pending, data)
  dropSwitch(dataFolder, readSwitches(dataFolder).failed)
}

/** A command waits for an hour at most, and a new version has two minutes for its start. */
const COMMAND_MS = 2 * 3_600_000
const RUNNER_MS = 5 * 60_000
/** True while another process waits for this switch. */
export const isCommandAlive = ({ by, byStart, at }: PendingSwitch): boolean => isOther(by, byStart, at, COMMAND_MS)
/** True while another process starts the new version. */
export const isRunnerAlive = ({ runner, runnerStart, at }: PendingSwitch): boolean =>
  runner !== null && isOther(runner, runnerStart, at, RUNNER_MS)

const isOther = (pid: number, start: string | null, at: number, longest: number): boolean =>
  pid !== process.pid && stillRuns({ pid, start, age: Date.now() - at, longest })
