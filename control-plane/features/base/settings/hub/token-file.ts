// The token file of the hub's own programs. It belongs to the official hub, even if the studio uses
// another server.
import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { homeFolder } from '#shared/protocol/settings.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

type Environment = Readonly<Record<string, string | undefined>>
export type TokenFile = ReturnType<typeof createTokenFile>

const MAX_BYTES = 4096

/** The folder of those programs; null without a home. */
function homeOf(environment: Environment): string | null {
  const { HF_HOME: hub, XDG_CACHE_HOME: cache } = environment
  if (hub && isAbsolute(hub)) return hub
  if (cache && isAbsolute(cache)) return join(cache, 'huggingface')
  const home = homeFolder(environment)
  return home && join(home, '.cache/huggingface')
}

export function createTokenFile(environment: Environment) {
  const folder = homeOf(environment)
  const path = folder && join(folder, 'token')
  return {
    /** Null when there is none that can be used. */
    read(): string | null {
      try {
        const text = path === null ? '' : readSmall(path)
        return /^[\x21-\x7e]{1,512}$/.test(text) ? text : null
      } catch {
        return null
      }
    },
    /** Throws disk errors. */
    write(token: string): void {
      if (folder === null || path === null) return
      privateFolder(folder)
      writeAtomic(path, token)
    },
    /** Throws disk errors. */
    remove: (): void => void (path !== null && rmSync(path, { force: true })),
  }
}

function readSmall(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return ''
    const bytes = Buffer.alloc(MAX_BYTES)
    return bytes
      .subarray(0, readSync(file, bytes, 0, MAX_BYTES, 0))
      .toString('utf8')
      .trim()
  } finally {
    closeSync(file)
  }
}
