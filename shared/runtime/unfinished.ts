// Files and folders that a program fills before they get their name. Each carries the id of its process, so that a later program removes those
// of programs that were killed.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { fileIn } from './file.ts'

const MARK = '.studio-unfinished-'
/** Suffixes of what a backup makes before it is complete, in the data folder and beside its archive. */
export const BACKUP_SUFFIXES = { stage: '-backup', archive: '.zip' } as const
const NAME = /^\.studio-unfinished-([1-9]\d{0,9})(?![\d])/

/** A path in the folder for something unfinished of this process; `suffix` tells its parts apart. Nothing of an earlier process is there. */
export function unfinishedIn(folder: string, suffix = ''): string {
  clearUnfinished(folder)
  return fileIn(folder, `${MARK}${process.pid}${suffix}`)
}

/** Removes what programs that have ended left unfinished in the folder. */
export function clearUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(NAME.exec(name)?.[1])
    const path = fileIn(folder, name)
    if (pid > 0 && !isInUse(pid, path)) rmSync(path, { recursive: true, force: true })
  }
}

/** Paths of what is unfinished in the folder; none for a folder that cannot be read. */
export function unfinishedNames(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (NAME.test(name) ? fileIn(folder, name) : []))
  } catch {
    return []
  }
}

function isInUse(pid: number, path: string): boolean {
  // In a container the program always has the same id.
  if (pid === process.pid) return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= performance.timeOrigin
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // of another user
  }
}
