// The disk space that the owner of this machine lends for models, and the files that studios may send, in <dataDir>/agent/space.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

/** `files`: bytes of files of models that a studio may send at a time. */
const Space = z.strictObject({ bytes: z.int().min(0).optional(), files: z.int().min(0).optional() })
type Space = z.output<typeof Space>
export type SpaceFile = ReturnType<typeof createSpaceFile>

export function createSpaceFile(folder: string) {
  const path = join(privateFolder(folder), 'space.json')
  let space = read(path)
  function change(next: Space): void {
    writeAtomic(path, `${JSON.stringify(next)}\n`)
    space = next
  }
  return {
    /** Null: a part of the free space. */
    bytes: (): number | null => space.bytes ?? null,
    /** 0: studios may send no files. */
    filesBytes: (): number => space.files ?? 0,
    /** Throws disk errors; the space is then not changed. */
    write(chosen: number | null): void {
      const { bytes: _, ...others } = space
      change({ ...others, ...(chosen !== null && { bytes: chosen }) })
    },
    /** Throws disk errors; the limit is then not changed. */
    writeFiles: (files: number): void => change({ ...space, files }),
  }
}

function read(path: string): Space {
  try {
    return Space.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? {}
  } catch {
    return {}
  }
}
