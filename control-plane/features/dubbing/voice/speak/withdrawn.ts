// Removes what has the voice of a recording that may no longer be used, and refuses what is being made with it.
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'

/** True once one of the recordings was withdrawn after the claim was made. */
export type DubVoiceCheck = () => boolean
export type DubVoiceClaims = {
  /** Call before making sound with these voices; call the result once the sound has its row. Recordings are SHA-256 in lower-case hex. */
  readonly claim: (recordings: readonly (string | null)[]) => DubVoiceCheck
}
export const WITHDRAWN = 'The voice of a person was withdrawn meanwhile. Choose another voice, then generate the dub again.'

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows' | 'saved'>
  /** Ends the exports of a dub. */
  readonly stopExports: (dubId: string) => boolean
}

export function createVoiceWithdrawal({ core: { store, files, rows, saved }, stopExports }: Deps) {
  const counts = new Map<string, number>()
  const countOf = (recordings: readonly string[]): number => recordings.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0)
  const claims: DubVoiceClaims = {
    claim(recordings) {
      const known = recordings.filter((each) => each !== null)
      const before = countOf(known)
      return () => countOf(known) !== before
    },
  }
  return {
    ...claims,
    /** Removes the spoken lines with these recordings, and their tracks and exports. */
    async withdraw(recordings: readonly string[]): Promise<void> {
      for (const each of recordings) counts.set(each, (counts.get(each) ?? 0) + 1)
      const digests = rows.withRecordings(recordings)
      if (digests.length === 0) return
      const gone = new Set(digests)
      const dubs = rows.usersOf(digests)
      for (const id of dubs) {
        stopExports(id)
        for (const { digest, planFile, languageCode } of store.tracks.trackFiles(id))
          if (gone.has(digest)) {
            store.tracks.removeTrack(id, languageCode)
            if (planFile !== null) rows.unuse(id, planFile)
            saved(id)
          }
      }
      // Which of the exports have the voice is not stored. All of them can be made again.
      await files.remove([...digests, ...rows.exportsOf(dubs)])
    },
  }
}
