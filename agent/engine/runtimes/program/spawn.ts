// Starts the programs of engines. Each leads a process group, so that its own children end with it, and so that the agent can end it when it has
// killed the host that started it: such a program would otherwise compute until its next write.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

const running = new Set<number>()
let report: (pids: readonly number[]) => void = () => {}

/** Called with the process ids of all programs that run, at each change. One listener. */
export const onProgramsChanged = (listener: (pids: readonly number[]) => void): void => {
  report = listener
}

/** As `spawn`. End it with `endGroup`. */
export function spawnProgram(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(program, args, { ...options, detached: true })
  const { pid } = child
  if (pid === undefined) return child // it could not be started; the child says so
  running.add(pid)
  report([...running])
  child.once('exit', () => {
    running.delete(pid)
    report([...running])
  })
  return child
}

/** Kills a program and its children; does nothing when they have ended. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Kills all programs of this process. */
export const endPrograms = (): void => {
  for (const pid of running) endGroup(pid)
}
