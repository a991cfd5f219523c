// Temporary files of the studio that a killed program left behind. Files of running requests are never among them.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export type TemporaryPlaces = { readonly dataDir: string; readonly systemFolder: string; readonly userId: number | null }

const HOUR_MS = 3600 * 1000
/** No request runs for a day. */
const DAY_MS = 24 * HOUR_MS

/** Paths, at most 1000. `now`: epoch milliseconds. */
export function temporaryEntries({ dataDir, systemFolder, userId }: TemporaryPlaces, now: number): string[] {
  const found = [
    // A command that read a copy of the database.
    ...entriesIn(dataDir, /^\.copy-[A-Za-z0-9]{6}$/, HOUR_MS),
    ...entriesIn(join(dataDir, 'uploads'), /^upload-[A-Za-z0-9]{6}$/, DAY_MS),
    ...entriesIn(join(dataDir, 'spool'), /^audio-[A-Za-z0-9]{6}$/, DAY_MS),
    // Links that pocketsphinx reads its models through.
    ...entriesIn(systemFolder, /^\.voice-[0-9a-f-]{36}$/, DAY_MS),
  ]
  return found.slice(0, MOST)

  function entriesIn(folder: string, name: RegExp, ageMs: number): string[] {
    try {
      return readdirSync(folder)
        .filter((each) => name.test(each))
        .map((each) => join(folder, each))
        .filter((path) => {
          const entry = lstatSync(path, { throwIfNoEntry: false })
          return entry !== undefined && now - entry.mtimeMs > ageMs && (userId === null || entry.uid === userId)
        })
    } catch {
      return []
    }
  }
}
const MOST = 1000
