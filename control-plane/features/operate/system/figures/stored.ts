// The sizes of what the studio keeps, by kind. A walk over all files takes seconds, so a scrape gets the last one and begins the next.
import type { Stats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'

/** Names in the data folder by the kind that a person knows. Others are `other`. */
const KINDS: Readonly<Record<string, string>> = {
  outputs: 'takes',
  artifacts: 'results',
  covers: 'books',
  longform_cache: 'books',
  dub_store: 'dubs',
  transcripts: 'transcripts',
  models: 'models',
  sidecars: 'engines',
  bin: 'engines',
  'media-tools': 'engines',
  uploads: 'temporary',
  spool: 'temporary',
  work: 'temporary',
  previews: 'temporary',
  'voice-work': 'temporary',
  logs: 'logs',
  diagnostics: 'logs',
}
const EVERY_MS = 15 * 60_000
const MOST_FILES = 1_000_000

export type StoredSizes = ReadonlyMap<string, number>
const storedKind = (name: string): string => KINDS[name] ?? (name.startsWith('studio.db') ? 'database' : 'other')

/** Bytes by kind; empty before the first walk ends. Links are not followed. Files that appear or vanish meanwhile are counted or not. */
export function createStored({ folder, clock }: { readonly folder: string; readonly clock: Pick<Clock, 'mono'> }) {
  let sizes: StoredSizes = new Map()
  let walkedAt = Number.NEGATIVE_INFINITY
  let walking: Promise<void> | null = null

  async function walk(): Promise<void> {
    const found = new Map<string, number>()
    let left = MOST_FILES
    const add = async (path: string, kind: string): Promise<void> => {
      if (--left < 0) return
      const stats: Stats | null = await lstat(path).catch(() => null)
      if (stats?.isDirectory()) {
        const entries = await opendir(path).catch(() => null)
        if (entries) for await (const { name } of entries) await add(fileIn(path, name), kind)
      } else if (stats?.isFile()) found.set(kind, (found.get(kind) ?? 0) + stats.size)
    }
    for await (const { name } of await opendir(folder)) {
      found.set(storedKind(name), found.get(storedKind(name)) ?? 0)
      await add(fileIn(folder, name), storedKind(name))
    }
    sizes = found
  }

  return {
    read(): StoredSizes {
      if (!walking && clock.mono() - walkedAt >= EVERY_MS) {
        walkedAt = clock.mono()
        walking = walk()
          .catch(() => {})
          .finally(() => {
            walking = null
          })
      }
      return sizes
    },
    /** Resolves when no walk is in progress. */
    settled: async (): Promise<void> => void (await walking),
  }
}
