import { readdirSync, readFileSync } from 'node:fs'

/** Name of the variable with the test file of a process, which test/support/world/leak-check.ts sets. */
export const TEST_FILE = 'VOICE_STUDIO_TEST_FILE'
/** `startedBy`: path of the test file, or of the first one of a shared process; null if the environment was replaced. */
export type Leftover = { readonly pid: number; readonly command: string; readonly startedBy: string | null }

/**
 * Running processes whose environment contains NAME=VALUE. Descendants inherit it unless they get another environment.
 * Needs /proc; on other systems the list is empty.
 */
export function processesMarked(name: string, value: string): Leftover[] {
  return numberedFolders('/proc').flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
      const startedBy = environment.find((one) => one.startsWith(`${TEST_FILE}=`))?.slice(TEST_FILE.length + 1) ?? null
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return environment.includes(`${name}=${value}`) && isAlive(pid) ? [{ pid, command, startedBy }] : []
    } catch {
      return [] // It has ended, or belongs to another user.
    }
  })
}

function numberedFolders(path: string): number[] {
  try {
    return readdirSync(path).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

// A zombie has ended and waits for its parent to read the exit status.
const isAlive = (pid: number) => !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
