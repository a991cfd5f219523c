// The command `update` or `rollback` while the running program finishes, copies the database and becomes the other version: how long it waits, and the
// way back for a program that does not go it by itself.
import { readFileSync } from 'node:fs'
import type { Terminal } from '#cli/lib/command.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isAlive } from '#shared/runtime/child/process-start.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { currentProgram } from './folder.ts'
import { START_MS } from './launch.ts'
import { type PendingSwitch, readSwitches } from './state.ts'
import { dropSwitch, type SwitchedDatabase, switchBack } from './switching.ts'

const LOOK_MS = 200
/** The program that ends stops its services in this time, beside the time for requests. */
const STOP_MS = 45_000
/** Longest time without progress while a database is copied or put back: a disk that flushes a large file at its end shows none. */
const STILL_MS = 300_000
/** Bytes that a process must read or write to count as progress. */
const MOVED_BYTES = 1024 * 1024

/** The program that is switched. */
export type Switched = {
  /** The command, for messages. */
  readonly command: string
  readonly dataFolder: string
  readonly data: SwitchedDatabase | null
  readonly clock?: Pick<Clock, 'mono' | 'sleep'>
}
type Waiting = {
  readonly version: string
  readonly pid: number
  readonly waitSeconds: number
  readonly isAgent: boolean
  /** The switch puts an older database in place. */
  readonly isBack: boolean
}

/** Resolves with 0 when the version runs. Throws PROGRAM_FAILED when it does not; the version before has its place again then. */
export async function untilRunning(
  { version, pid, waitSeconds, isAgent, isBack }: Waiting,
  output: Terminal['output'],
  { command, dataFolder, data, clock = systemClock }: Switched,
): Promise<number> {
  const startedAt = clock.mono()
  let switchedAt: number | null = null
  let lostAt: number | null = null
  let seen = ''
  let movedAt = startedAt
  let isSaid = false
  for (;;) {
    const { pending, failed } = readSwitches(dataFolder)
    const at = clock.mono()
    const now = currentProgram(dataFolder)?.version
    if (pending === null && now === version) {
      output.write(`Version ${version} runs.\n`)
      return 0
    }
    // A version that failed is still giving its place back while the switch is pending.
    if (pending === null)
      throw new Failure(
        'PROGRAM_FAILED',
        `Version ${version} did not take over: ${failed?.reason.replace(/\.$/, '') ?? 'the program was started again'}. Version ${now} stays${isBack ? ', with the database from before the rollback' : ''}.`,
      )
    if (now === version) switchedAt ??= at
    if (!isAlive(pid)) lostAt ??= at
    if (isAgent && switchedAt === null && at - startedAt > waitSeconds * 1000) {
      output.write(`The agent still finishes its tasks. Version ${version} takes over when they have ended.\n`)
      return 0
    }
    if (data !== null && (pending.moving || switchedAt !== null)) {
      const mark = `${data.progress()} ${pending.moving ? movedBy(pid) : ''}`
      if (mark !== seen) movedAt = at
      seen = mark
    }
    if (pending.moving && !isSaid) output.write('The database is copied, which takes a while if it is large …\n')
    isSaid ||= pending.moving
    if (at - Math.max(switchedAt ?? startedAt + waitSeconds * 1000, movedAt) > longest(pending, switchedAt !== null)) break
    if (lostAt !== null && at - lostAt > STOP_MS / 3) break
    await clock.sleep(LOOK_MS)
  }
  // The program neither runs nor goes back by itself.
  const { pending } = readSwitches(dataFolder)
  const isStill = pending?.moving === true && lostAt === null && switchedAt === null
  // The id of a process that was seen to end may be that of another program now.
  if (switchedAt !== null && lostAt === null) kill(pending?.runner ?? pid)
  // The next start puts the database back, where a rollback had replaced it.
  if (pending !== null && (switchedAt !== null || pending.kept !== null)) await switchBack(dataFolder, 'It did not answer.', Date.now())
  else dropSwitch(dataFolder, null)
  throw new Failure(
    'PROGRAM_FAILED',
    isStill
      ? `Version ${version} did not take over: the copy of the database made no progress for ${STILL_MS / 60_000} minutes. The program (process ${pid}) goes on as version ${currentProgram(dataFolder)?.version} if the disk answers again.`
      : `Version ${version} did not take over, and nothing runs now. If no service starts the program again, start version ${currentProgram(dataFolder)?.version} with ${command}.`,
  )
}

/** Milliseconds without progress after which the command gives up. */
function longest({ moving }: PendingSwitch, isSwitched: boolean): number {
  if (moving) return STILL_MS
  return isSwitched ? START_MS + STOP_MS : STOP_MS
}

/** Bytes that the process has read from disks and written to them, in steps; the same text where the system does not say. */
function movedBy(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'latin1')
    const bytes = [...text.matchAll(/^(?:read|write)_bytes: (\d{1,18})$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
    return String(Math.floor(bytes / MOVED_BYTES))
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it has ended
}
