// The sizes of what the studio keeps, by kind. They take seconds to measure, so a scrape gets the last ones and begins the next measurement.
import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { Clock } from '#shared/runtime/clock.ts'

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
const LIMIT_MS = 30_000

export type StoredSizes = ReadonlyMap<string, number>
const storedKind = (name: string): string => KINDS[name] ?? (name.startsWith('studio.db') ? 'database' : 'other')

type Deps = { readonly folder: string; readonly measure: SettingsApi['measureFolders']; readonly clock: Pick<Clock, 'mono'> }

/** Bytes by kind; empty before the first measurement ends. A kind that took too long has a lower bound. */
export function createStored({ folder, measure, clock }: Deps) {
  let sizes: StoredSizes = new Map()
  let beganAt = Number.NEGATIVE_INFINITY
  let measuring: Promise<void> | null = null

  async function update(): Promise<void> {
    const { data } = await measure([{ id: 'data', path: folder, exclude: null, entries: Number.POSITIVE_INFINITY, limitMs: LIMIT_MS }])
    const found = new Map<string, number>()
    for (const { name, bytes } of data?.entries ?? []) found.set(storedKind(name), (found.get(storedKind(name)) ?? 0) + bytes)
    sizes = found
  }

  return {
    read(): StoredSizes {
      if (!measuring && clock.mono() - beganAt >= EVERY_MS) {
        beganAt = clock.mono()
        measuring = update()
          .catch(() => {}) // the thread failed; the figure stays that of the last time
          .finally(() => {
            measuring = null
          })
      }
      return sizes
    },
    /** Resolves when no measurement is in progress. */
    settled: async (): Promise<void> => void (await measuring),
  }
}
