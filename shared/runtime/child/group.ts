// Foreign programs as process groups. Each leads a group of its own, so that everything that it starts ends with it: when it ends, when it is
// killed, and when this process exits. Another process that has killed this one can end the groups too; `onGroupsChanged` reports them.
import type { ChildProcess, spawn as nodeSpawn, SpawnOptions } from 'node:child_process'
import { spawn } from './process.ts'

/** Windows has no process groups: there a program ends alone. */
const HAS_GROUPS = process.platform !== 'win32'
const running = new Set<number>()
let report: (pids: readonly number[]) => void = () => {}

/** Called with the ids of all groups that run, at each change. One listener. */
export const onGroupsChanged = (listener: (pids: readonly number[]) => void): void => {
  report = listener
}

/** Same as `spawn`, in a process group. Kill it with `killGroup`. */
export const spawnGroup = ((program: string, args: readonly string[] = [], options: SpawnOptions = {}): ChildProcess => {
  const child = spawn(program, args, { ...options, detached: HAS_GROUPS })
  const { pid } = child
  if (pid === undefined) return child // it could not be started; the child says so
  if (running.size === 0) process.once('exit', killRunning)
  running.add(pid)
  report([...running])
  child.once('exit', () => {
    killGroupOf(pid)
    running.delete(pid)
    if (running.size === 0) process.off('exit', killRunning)
    report([...running])
  })
  return child
}) as typeof nodeSpawn

/** Sends SIGKILL to a program of `spawnGroup` and everything that it started. Does nothing when it has ended or could not be started. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // The id of a program that has ended may belong to another group by now.
  if (exitCode === null && signalCode === null) killGroupOf(pid)
}

/** Same as `killGroup`, for a group that another process started. */
export function killGroupOf(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return // pid 0 would be our own group
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL')
  } catch {
    // Every process of the group has ended.
  }
}

function killRunning(): void {
  for (const pid of running) killGroupOf(pid)
}
