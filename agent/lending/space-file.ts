// The disk space that the owner of this machine lends for models, in <dataDir>/agent/space.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const Space = z.strictObject({ bytes: z.int().min(0) })
export type SpaceFile = ReturnType<typeof createSpaceFile>

export function createSpaceFile(folder: string) {
  const path = join(privateFolder(folder), 'space.json')
  let bytes = read(path)
  return {
    /** Null: a part of the free space. */
    bytes: (): number | null => bytes,
    /** Throws disk errors; the space is then not changed. */
    write(chosen: number | null): void {
      writeAtomic(path, chosen === null ? '{}\n' : `${JSON.stringify({ bytes: chosen })}\n`)
      bytes = chosen
    },
  }
}

function read(path: string): number | null {
  try {
    return Space.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data?.bytes ?? null
  } catch {
    return null
  }
}
