// The community sources: repositories that publish a manifest, as the owner listed them. Without a list only the items of this program are
// shown, because a default repository would be a server without the choice of the owner.
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { Log } from '#shared/runtime/log.ts'

/** Name of the items of this program, which need no server. */
export const STARTER = 'builtin/starter'
export const SOURCES_FILE = 'gallery_sources.json'
const FILE_BYTES = 64 * 1024
const MAX_SOURCES = 32
const Name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/)
  .refine((name) => !/\/\.{1,2}$/.test(name))
const List = z.array(Name).max(MAX_SOURCES)
const File = z.union([List, z.object({ sources: List }).transform(({ sources }) => sources)])

type Deps = { /** From the environment; empty for none. */ readonly named: readonly string[]; readonly path: string; readonly log: Log }

/** A function that returns the sources in their order. The file is read again for each call, so that changes are in effect at once. */
export function createSources({ named, path, log }: Deps): () => readonly string[] {
  let reported = 0
  return () => {
    if (named.length > 0) return unique(named)
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile()) return [STARTER]
    const list = found.size <= FILE_BYTES ? listIn(path) : null
    if (list !== null) return unique(list)
    if (reported !== found.mtimeMs) {
      reported = found.mtimeMs
      log.warn(
        { file: SOURCES_FILE },
        'the list of community sources is ignored: it must be a JSON list of texts such as "owner/repository"',
      )
    }
    return [STARTER]
  }
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]

function listIn(path: string): string[] | null {
  try {
    return File.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    return null // no JSON
  }
}
