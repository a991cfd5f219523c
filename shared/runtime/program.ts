// Finds installed programs, and signals and deprioritises child processes.
import type { ChildProcess } from 'node:child_process'
import { accessSync, constants, readlinkSync, statSync } from 'node:fs'
import { setPriority, constants as systemConstants } from 'node:os'
import { basename, join, posix, win32 } from 'node:path'

/**
 * The path of a program on a PATH string, or null. Skips empty entries, which would mean the current folder. On Windows programs end in .exe; a
 * script there needs a shell, so it is none.
 */
export function findProgram(name: string, path = '', platform: NodeJS.Platform = process.platform): string | null {
  const { delimiter } = platform === 'win32' ? win32 : posix
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, programFile(name, platform))
    try {
      accessSync(candidate, constants.X_OK)
      if (statSync(candidate).isFile()) return candidate
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** File name of a program. */
export const programFile = (name: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' && !name.toLowerCase().endsWith('.exe') ? `${name}.exe` : name

/** The Python of a virtual environment, relative to the folder of that. */
export const venvPython = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? win32.join('Scripts', 'python.exe') : posix.join('bin', 'python')

/** Name of Python 3 on PATH. The installer for Windows brings no python3. */
export const pythonName = (platform: NodeJS.Platform = process.platform): string => (platform === 'win32' ? 'python' : 'python3')

/**
 * Sends the signal if the child has a process. For a child that could not be started the library may still hold pid 0, which would signal our
 * own process group, including the studio and its agent.
 */
export function signalChild(child: Pick<ChildProcess, 'pid' | 'kill'>, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signal)
}

/** Lowers the priority of a computing child below the event loops of both programs. Ignores a child that has no process. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, systemConstants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The child has ended, or the system forbids it; the priority then stays normal.
  }
}

/**
 * Lowers the priority of the thread that calls it below that of computing children, so that engines do not wait for it. Only Linux has a priority
 * for each thread; elsewhere it stays normal.
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), systemConstants.priority.PRIORITY_LOW)
  } catch {
    // Not Linux, or the system forbids it.
  }
}
