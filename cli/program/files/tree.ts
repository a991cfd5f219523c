// The files of a version: their record, which is written last, and the comparison with it.

import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { writeAtomic } from '#shared/runtime/file.ts'

const RECORD = 'program.json'
const MAX_RECORD_BYTES = 4096
const MAX_FILES = 100_000
/** Permission bits of other users that a file of the program must not have. */
const WRITABLE_BY_OTHERS = 0o022

const ProgramRecord = z.object({
  /** Name of the package, which is the name of its command. */
  name: z.string().regex(/^[a-z][a-z-]{0,60}$/),
  version: z.string().max(64),
  files: z.int().min(1),
  bytes: z.int().min(1),
  /** SHA-256 over path, size and executability of every file. */
  tree: z.string().length(64),
})
export type ProgramRecord = z.output<typeof ProgramRecord>
/** `path`: from the root, with `/`. `mode`: 0o644 or 0o755. */
export type TreeFile = { readonly path: string; readonly bytes: number; readonly mode: number }

/** Mode of a file of the program: others may read it, none but the owner may change it. */
export const plainMode = (mode: number): number => ((mode & 0o100) === 0 ? 0o644 : 0o755)

/**
 * The files below a folder, in the order of their paths, without the record, and without links to commands, which npm makes. Throws FORBIDDEN for
 * what is no file.
 */
export function filesOf(root: string): TreeFile[] {
  const files: TreeFile[] = []
  const walk = (folder: string, prefix: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = prefix + entry.name
      if (entry.isDirectory()) {
        if (entry.name !== '.bin') walk(join(folder, entry.name), `${path}/`)
        continue
      }
      if (path === RECORD) continue
      if (!entry.isFile())
        throw new Failure('FORBIDDEN', `${join(folder, entry.name)} is no plain file, and a program has only plain files.`)
      const { size, mode } = lstatSync(join(folder, entry.name))
      files.push({ path, bytes: size, mode: plainMode(mode) })
      if (files.length > MAX_FILES) throw new Failure('FORBIDDEN', `${root} has more than ${MAX_FILES} files, which is no program.`)
    }
  }
  walk(root, '')
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function recordOf(name: string, version: string, files: readonly TreeFile[]): ProgramRecord {
  const hash = createHash('sha256')
  for (const { path, bytes, mode } of files) hash.update(`${mode.toString(8)} ${bytes} ${path}\n`)
  return { name, version, files: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0), tree: hash.digest('hex') }
}

export const writeRecord = (folder: string, name: string, version: string): void =>
  writeAtomic(join(folder, RECORD), `${JSON.stringify(recordOf(name, version, filesOf(folder)), null, 2)}\n`)

/** The record of a version; null for a folder without one, which is not whole. */
export function programIn(folder: string): ProgramRecord | null {
  try {
    const path = join(folder, RECORD)
    if (statSync(path).size > MAX_RECORD_BYTES) return null
    const record = ProgramRecord.parse(JSON.parse(readFileSync(path, 'utf8')))
    return record.version === basename(folder) ? record : null
  } catch {
    return null
  }
}

/** True if the folder has the files of its record, and none that another user may change. */
export function isWholeVersion(folder: string): boolean {
  const record = programIn(folder)
  if (record === null) return false
  try {
    const files = filesOf(folder)
    if (process.platform !== 'win32' && files.some(({ path }) => (lstatSync(join(folder, path)).mode & WRITABLE_BY_OTHERS) !== 0))
      return false
    return recordOf(record.name, record.version, files).tree === record.tree
  } catch {
    return false
  }
}
