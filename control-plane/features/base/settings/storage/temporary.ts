// Temporary files of the studio that a killed program left behind. Files of running requests are never among them.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'

export type TemporaryPlaces = { readonly dataDir: string; readonly systemFolder: string; readonly userId: number | null }

const HOUR_MS = 3600 * 1000
/** No request runs for a day. */
const DAY_MS = 24 * HOUR_MS

/** Ages of files in milliseconds. What was written in this run is not older than the run, although the wall clock may have jumped. */
export function agesSince(clock: Pick<Clock, 'now' | 'mono'>): (changedAt: number) => number {
  const started = { wall: clock.now(), mono: clock.mono() }
  return (changedAt) => Math.min(clock.now() - changedAt, changedAt < started.wall ? Number.POSITIVE_INFINITY : clock.mono() - started.mono)
}

/** Paths, at most 1000. `ageOf`: milliseconds since a moment of the wall clock. */
export function temporaryEntries({ dataDir, systemFolder, userId }: TemporaryPlaces, ageOf: (changedAt: number) => number): string[] {
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
        .map((each) => fileIn(folder, each))
        .filter((path) => {
          const entry = lstatSync(path, { throwIfNoEntry: false })
          return entry !== undefined && ageOf(entry.mtimeMs) > ageMs && (userId === null || entry.uid === userId)
        })
    } catch {
      return []
    }
  }
}
const MOST = 1000
