// The identity of a process beyond its id, which the system gives to another program later.
import { readFileSync } from 'node:fs'

const ID = /^[0-9a-f-]{36}$/
/** Field 22 of `/proc/<pid>/stat`, counted behind the name of the program, which may contain spaces. */
const START_FIELD = 19

/**
 * When the process started, as a text that no other process with this id has, also after a restart of the machine. Null if it has ended, and on
 * systems without `/proc`.
 */
export function startOfProcess(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? ''
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return /^\d{1,20}$/.test(ticks) && ID.test(boot) ? `${boot}/${ticks}` : null
  } catch {
    return null
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // of another user
  }
}

type Noted = {
  readonly pid: number
  /** `startOfProcess` when the process was noted. */
  readonly start: string | null
  /** Milliseconds since the process was noted, and for how long its id alone is believed. */
  readonly age: number
  readonly longest: number
}
/** True if the process that was noted still runs. */
export const stillRuns = ({ pid, start, age, longest }: Noted): boolean =>
  start === null ? age < longest && isAlive(pid) : startOfProcess(pid) === start
