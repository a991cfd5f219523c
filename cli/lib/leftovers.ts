import { readdirSync, readFileSync } from 'node:fs'

export type Leftover = { readonly pid: number; readonly command: string }

/**
 * Living processes whose environment carries NAME=VALUE, which every descendant inherits unless it was given another environment.
 * Only Linux shows environments as files; elsewhere the list is empty.
 */
export function processesMarked(name: string, value: string): Leftover[] {
  return numberedFolders('/proc').flatMap((pid) => {
    try {
      const marked = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${name}=${value}`)
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return marked && isAlive(pid) ? [{ pid, command }] : []
    } catch {
      return [] // Gone in the meantime, or another user's.
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

// A zombie has ended and only waits for its parent to ask for the exit status.
const isAlive = (pid: number) => !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
