// The record of the switches between versions, replaced atomically. It is what an update that was killed leaves for the next start.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isRelease } from '#shared/protocol/version.ts'
import { writeAtomic } from '#shared/runtime/file.ts'
import { removeVersion } from './files/install.ts'
import { currentProgram, programRoot, versionsIn } from './folder.ts'

const STATE = 'state.json'
const MAX_BYTES = 16 * 1024
/** Old versions that are kept for a way back. */
const KEPT = 2

const version = z.string().max(64).refine(isRelease)
const databaseName = z.string().regex(/^before-[0-9A-Za-z.-]{1,64}\.db$/)
const pid = z.int().min(1)
/** `startOfProcess` of the process whose id stands beside it. */
const start = z.string().max(100).nullable().default(null)
const Pending = z.object({
  from: version,
  to: version,
  /** The process of the command that asked for the switch. */
  by: pid,
  byStart: start,
  /** The process that has begun to start `to`. */
  runner: pid.nullable(),
  runnerStart: start,
  /** When the last of these processes was noted, in epoch milliseconds: later its id may be that of another program. */
  at: z.number().default(0),
  /** `to` changes the form of the database: a copy is made before the switch. */
  changesDatabase: z.boolean(),
  /** The copy of the database as `from` left it; null before it is made, and where none is needed. */
  copy: databaseName.nullable(),
  /** A rollback puts this copy in place of the database. */
  restore: databaseName.nullable(),
  /** The database that a rollback replaced, as a name in the data folder; null before that. It comes back if `to` does not start. */
  kept: z
    .string()
    .regex(/^\w[\w.-]{0,100}$/)
    .nullable()
    .default(null),
  /** The program that has ended copies the database or puts it back, which may take long. */
  moving: z.boolean().default(false),
  /** `to` did not start. The database is put back by the next start of `from`. */
  failed: z.boolean(),
})
export type PendingSwitch = z.output<typeof Pending>
const State = z.object({
  pending: Pending.nullable(),
  /** The versions that ran before the current one, the newest first. */
  previous: z.array(version).max(10),
  /** The version that a rollback left. It is kept, so that the package that brought it does not bring it again. */
  left: version.nullable(),
  /** Copies of the database, by the version that left them. */
  copies: z.partialRecord(z.string().max(64), z.object({ file: databaseName, at: z.number() })),
  /** The last version that did not start, and why. */
  failed: z.object({ version, reason: z.string().max(500), at: z.number() }).nullable(),
})
export type Switches = z.output<typeof State>

const NOTHING: Switches = { pending: null, previous: [], left: null, copies: {}, failed: null }
const pathIn = (dataFolder: string) => join(programRoot(dataFolder), STATE)

/** Empty before the first switch. A file that cannot be read counts as none: the current version still starts. */
export function readSwitches(dataFolder: string): Switches {
  try {
    if (statSync(pathIn(dataFolder)).size > MAX_BYTES) return NOTHING
    return State.parse(JSON.parse(readFileSync(pathIn(dataFolder), 'utf8')))
  } catch {
    return NOTHING
  }
}

export const writeSwitches = (dataFolder: string, state: Switches): void =>
  writeAtomic(pathIn(dataFolder), `${JSON.stringify(State.parse(state), null, 2)}\n`)

export const changePending = (dataFolder: string, change: Partial<PendingSwitch>): PendingSwitch => {
  const state = readSwitches(dataFolder)
  if (state.pending === null) throw new Error('No update is under way.')
  const pending = { ...state.pending, ...change }
  writeSwitches(dataFolder, { ...state, pending })
  return pending
}

/** Name of the copy of the database that `to` is about to change. */
export const copyName = (to: string): string => `before-${to}.db`
export const copyPath = (dataFolder: string, name: string): string => join(programRoot(dataFolder), name)

/** `to` runs: the switch is done. Removes versions and copies that are no longer kept. */
export function confirmSwitch(dataFolder: string, now: number): void {
  const state = readSwitches(dataFolder)
  const { pending } = state
  if (pending === null) return
  const { from, to, copy, restore } = pending
  const isBack = state.previous[0] === to
  const previous = isBack
    ? state.previous.slice(1)
    : [from, ...state.previous.filter((each) => each !== from && each !== to)].slice(0, KEPT)
  const left = isBack ? from : null
  const copies = Object.fromEntries(
    Object.entries({ ...state.copies, ...(copy !== null && { [from]: { file: copy, at: now } }) }).filter(
      ([name, one]) => previous.includes(name) && one?.file !== restore,
    ),
  )
  writeSwitches(dataFolder, { pending: null, previous, left, copies, failed: null })
  prune(dataFolder)
}

/** Keeps the current version, those before it, and the one that was left. */
export function prune(dataFolder: string): void {
  const { previous, left, copies, pending } = readSwitches(dataFolder)
  const kept = new Set([currentProgram(dataFolder)?.version, ...previous, left, pending?.from, pending?.to])
  for (const each of versionsIn(dataFolder)) if (!kept.has(each)) attempt(() => removeVersion(dataFolder, each))
  if (pending !== null) return
  for (const name of copiesIn(dataFolder))
    if (!Object.values(copies).some((one) => one?.file === name)) attempt(() => rmSync(copyPath(dataFolder, name), { force: true }))
}

/** The program runs without it: what is in use, or on a broken disk, is removed after the next switch. */
function attempt(remove: () => void): void {
  try {
    remove()
  } catch {}
}

function copiesIn(dataFolder: string): string[] {
  return readdirSync(programRoot(dataFolder)).filter((name) => databaseName.safeParse(name).success)
}
