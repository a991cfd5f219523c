// Processor time of the processes under measurement, from `/proc`.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100
/** Fields behind the name in a `stat` of `/proc`: user and system time, then those of ended children. */
const [OWN, ALL] = [
  [11, 12],
  [11, 12, 13, 14],
]
function statOf(path: string, times: readonly number[]): { readonly parent: number; readonly seconds: number } {
  try {
    const fields = readFileSync(`/proc/${path}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return { parent: Number(fields[1]), seconds: times.reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_A_SECOND }
  } catch {
    return { parent: 0, seconds: 0 } // It has ended.
  }
}

/** Every process that `root` started, directly or not, with its processor seconds so far and those of its ended children. */
function startedBy(root: number): { readonly pid: number; readonly seconds: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const stats = new Map(pids.map((pid) => [Number(pid), statOf(pid, ALL)]))
  const isBelow = (pid: number): boolean => {
    const parent = stats.get(pid)?.parent ?? 0
    return parent === root || (parent > 1 && isBelow(parent))
  }
  return [...stats].filter(([pid]) => isBelow(pid)).map(([pid, { seconds }]) => ({ pid, seconds }))
}

/** Processor seconds of a process so far, of its main thread alone, and of everything that it started. */
export function cpuTimes(root: number): { readonly whole: number; readonly main: number; readonly below: number } {
  const below = startedBy(root).reduce((sum, { seconds }) => sum + seconds, 0)
  const main = statOf(`${root}/task/${root}`, OWN).seconds
  return {
    whole: statOf(String(root), OWN).seconds,
    main,
    below: below + statOf(String(root), ALL).seconds - statOf(String(root), OWN).seconds,
  }
}

/** Process that `root` started and whose command line, with blanks between its words, contains `name`; null if there is none. */
export function findStarted(root: number, name: string): number | null {
  for (const { pid } of startedBy(root))
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').includes(name)) return pid
    } catch {} // it has ended
  return null
}

const NS_A_MS = 1e6
/** Milliseconds so far in which the main thread of a process ran, and in which it could run and had no processor. */
export function scheduled(pid: number): { readonly ran: number; readonly queued: number } {
  const [ran, queued] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ').map(Number) as [number, number]
  return { ran: ran / NS_A_MS, queued: queued / NS_A_MS }
}
