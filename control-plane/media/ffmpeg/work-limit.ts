// Ends a program that hangs or works for too long. On a busy machine a program may get little processor time, so only the time in which it had a
// processor counts. Where that cannot be read, all time counts.
import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '#shared/runtime/clock.ts'

/** A program that makes no progress for this long, and does not work either, is ended. */
export const STALL_MS = 120_000
const LOOK_MS = 5_000
/** Share of a processor. A program that hangs may still check from time to time whether it can continue. */
const MIN_WORK = 0.001
/** Times the limits: no program waits for a processor as long as that. */
const LONGEST_WAIT = 30
/** Unit of `/proc/<pid>/stat`, in milliseconds. All Linux systems show hundredths of seconds there. */
const TICK_MS = 10
const [USER_FIELD, SYSTEM_FIELD] = [11, 12]

export type WorkLimit = {
  /** The program has made progress. */
  readonly moved: () => void
  readonly stop: () => void
}
type Limited = {
  readonly pid: number | undefined
  /** The longest time of work in milliseconds. */
  readonly limitMs: number
  /** A file whose growth is progress. */
  readonly watched?: string | undefined
  /** Milliseconds of all processors that a process has used; null if that is not known. */
  readonly workOf?: (pid: number | undefined) => Promise<number | null>
}

/** Calls `over` once, and nothing after `stop`. */
export function limitWork(
  { pid, limitMs, watched, workOf = processorTime }: Limited,
  clock: Clock,
  over: (why: 'stalled' | 'late') => void,
): WorkLimit {
  const begin = clock.mono()
  let moved = { at: begin, work: 0 }
  let last = { at: begin, work: 0 }
  let worked = 0
  let seen = ''
  let isStopped = false
  let hasMoved = false
  const look = async (): Promise<void> => {
    const [known, state] = await Promise.all([workOf(pid), stateOf(watched)])
    if (isStopped) return
    const at = clock.mono()
    const work = known ?? at - begin
    // Several threads together use more than one second of processor time in a second.
    worked += Math.min(at - last.at, work - last.work)
    last = { at, work }
    if (hasMoved || state !== seen) moved = hasMoved ? { at: moved.at, work } : last
    seen = state
    hasMoved = false
    const [quiet, since] = [at - moved.at, work - moved.work]
    const hangs = since < MIN_WORK * quiet || since >= STALL_MS || quiet >= LONGEST_WAIT * STALL_MS
    if (quiet >= STALL_MS && hangs) return over('stalled')
    if (worked >= limitMs || at - begin >= LONGEST_WAIT * limitMs) return over('late')
    forget = clock.after(LOOK_MS, () => void look())
  }
  let forget = clock.after(LOOK_MS, () => void look())
  return {
    moved() {
      hasMoved = true
      moved = { ...moved, at: clock.mono() }
    },
    stop() {
      isStopped = true
      forget()
    },
  }
}

async function stateOf(path: string | undefined): Promise<string> {
  const state = path === undefined ? null : await stat(path).catch(() => null)
  return state ? `${state.size} ${state.mtimeMs}` : ''
}

async function processorTime(pid: number | undefined): Promise<number | null> {
  const text = pid === undefined ? '' : await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name of the program is in brackets and may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD])
  return Number.isFinite(ticks) ? ticks * TICK_MS : null
}
