// Access rights on Windows, where files have lists of them (ACLs) instead of modes. icacls.exe, a part of the system, reads and changes them; it
// prints translated names, so they are read from what it saves: SDDL, which has the same letters in every language.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { execFileSync, systemFolder } from '../child/process.ts'

/** Runs a program of the system and returns its output. Throws if it is missing or fails. */
export type RunSystemProgram = (program: string, args: readonly string[]) => string
export type WindowsRights = {
  /** Entries that other users had access to, and have no longer. */
  readonly closed: readonly string[]
  /** False if the system did not say who has access. */
  readonly isKnown: boolean
}

const TIMEOUT_MS = 60_000
/** Folders with keys, whose entries are checked as well. Rights of all other folders are checked at the folder itself. */
const KEY_FOLDERS = ['.path-authorizations', 'agent', 'authority', 'connections', 'inbound', 'local-agent']
/** The system and administrators, who can take any file, the owner, and the creator of an entry, which is the same user here. */
const TRUSTED = ['SY', 'BA', 'OW', 'CO', 'S-1-5-18', 'S-1-5-32-544', 'S-1-3-0', 'S-1-3-4']
const SYSTEM = '*S-1-5-18'
const SID = /S-1-5-[0-9-]{1,180}/

/** Program of the system by its whole path: PATH may name folders that others can write to. */
const systemProgram: RunSystemProgram = (program, args) =>
  execFileSync(win32.join(systemFolder(), 'System32', program), args, {
    timeout: TIMEOUT_MS,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/**
 * Removes the access of other users to the data folder and to the keys in it, and checks that it is gone. A missing folder is fine. Throws an
 * Error where the access stays, such as on a disk without access rights.
 */
export function closeOnWindows(dataDir: string, run: RunSystemProgram = systemProgram): WindowsRights {
  const before = openToOthers(dataDir, run)
  if (before === null) return { closed: [], isKnown: false }
  if (before.length === 0) return { closed: [], isKnown: true }
  const user = userOf(run)
  try {
    if (before.includes(dataDir)) {
      // Entries that were named for this folder go first, then those of the folders above it.
      run('icacls.exe', [dataDir, '/reset', '/Q'])
      run('icacls.exe', [dataDir, '/inheritance:r', '/grant:r', `*${user}:(OI)(CI)F`, '/grant:r', `${SYSTEM}:(OI)(CI)F`, '/Q'])
    }
    // Those inside it inherit from it then.
    for (const path of openToOthers(dataDir, run) ?? []) if (path !== dataDir) run('icacls.exe', [path, '/reset', '/Q'])
  } catch {
    // What stays open is found below.
  }
  const after = openToOthers(dataDir, run)
  if (after === null || after.length > 0)
    throw new Error(
      `Other users have access to ${after?.[0] ?? dataDir}, and it cannot be removed. Choose another STUDIO_DATA_DIR, on a disk with access rights (NTFS).`,
    )
  return { closed: before, isKnown: true }
}

/** The entries of the data folder that other users have access to; null if the system does not say. Changes nothing. */
export function openToOthers(dataDir: string, run: RunSystemProgram = systemProgram): string[] | null {
  if (!existsSync(dataDir)) return []
  const keys = KEY_FOLDERS.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  try {
    const trusted = [...TRUSTED, userOf(run)]
    const own = savedRights(run, [dataDir]).map((entry) => ({ ...entry, path: dataDir }))
    const inside = savedRights(run, [join(dataDir, '*')]).map((entry) => ({ ...entry, path: join(dataDir, entry.path) }))
    const below = keys.flatMap((path) => savedRights(run, [path, '/T']).map((entry) => ({ ...entry, path: join(dataDir, entry.path) })))
    if (own.length === 0) return null
    const open = [...own, ...inside, ...below].filter(({ sddl }) => isOpen(sddl, trusted)).map(({ path }) => path)
    return [...new Set(open)]
  } catch {
    return null
  }
}

/** True if the list of an entry gives rights to others than `trusted`, or if it has no list, which gives them to everyone. */
export function isOpen(sddl: string, trusted: readonly string[]): boolean {
  const at = sddl.indexOf('D:')
  const list = at < 0 ? '' : sddl.slice(at + 2).split('S:')[0]!
  if (at < 0 || list.includes('NO_ACCESS_CONTROL')) return true
  const entries = list.split('(').slice(1)
  return entries.some((entry) => {
    const [type = '', , , , , who = ''] = entry.split(')')[0]!.split(';')
    return /^(A|XA|OA|ZA)$/.test(type) && !trusted.includes(who)
  })
}

/** The path of each entry, as icacls names it, and its list. */
function savedRights(run: RunSystemProgram, [path = '', ...flags]: readonly string[]): { path: string; sddl: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'voice-rights-'))
  const file = join(folder, 'saved')
  try {
    run('icacls.exe', [path, '/save', file, '/C', '/Q', ...flags])
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf16le')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
    return Array.from({ length: Math.floor(lines.length / 2) }, (_, at) => ({ path: lines[2 * at]!, sddl: lines[2 * at + 1]! }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The id of the user of this process. */
function userOf(run: RunSystemProgram): string {
  const found = SID.exec(run('whoami.exe', ['/user', '/fo', 'csv', '/nh']))
  if (!found) throw new Error('The system does not name the user of this process.')
  return found[0]
}
