import { readdirSync, readFileSync } from 'node:fs'

export type Leftover = { readonly pid: number; readonly command: string }

/**
 * Running processes whose environment contains NAME=VALUE. Descendants inherit it unless they get another environment.
 * Needs /proc; on other systems the list is empty.
 */
export function processesMarked(name: string, value: string): Leftover[] {
  return numberedFolders('/proc').flatMap((pid) => {
    try {
      const marked = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${name}=${value}`)
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return marked && isAlive(pid) ? [{ pid, command }] : []
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
