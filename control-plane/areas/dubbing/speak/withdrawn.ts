// Removes what has the voice of a recording that may no longer be used.
import type { DubCore } from '../core.ts'

/** Spoken lines are removed, and tracks with them. Recordings are SHA-256 in lower-case hex. */
export const createVoiceWithdrawal =
  ({ store, files, rows, saved }: Pick<DubCore, 'store' | 'files' | 'rows' | 'saved'>) =>
  async (recordings: readonly string[]): Promise<void> => {
    const digests = rows.withRecordings(recordings)
    if (digests.length === 0) return
    const gone = new Set(digests)
    for (const id of store.dubs.ids())
      for (const { digest, languageCode } of store.tracks.tracks(id))
        if (gone.has(digest)) {
          store.tracks.removeTrack(id, languageCode)
          saved(id)
        }
    await files.remove(digests)
  }
