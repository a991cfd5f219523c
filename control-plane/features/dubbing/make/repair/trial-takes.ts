// The takes that a repair has spoken and not chosen from yet. The latest take of a line counts, so those of a repair that was cancelled or
// failed must not stay: the next work on the track drops them.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { keyOf } from '#control-plane/jobs/key.ts'

const Keys = z.array(z.string())
const VERSION = 1
export type TrialTakes = ReturnType<typeof createTrialTakes>

/** Throws STORAGE_FULL. */
export function createTrialTakes({ store, files }: Pick<DubCore, 'store' | 'files'>) {
  const nameOf = (dub: string, language: string) => keyOf({ kind: 'dub.trials', version: VERSION, inputs: [], params: { dub, language } })
  async function keysOf(dub: string, language: string): Promise<string[]> {
    const file = await files.find(nameOf(dub, language))
    return file ? Keys.parse(JSON.parse(file.detail)) : []
  }
  const forget = (dub: string, language: string): Promise<void> => files.remove([nameOf(dub, language)])

  return {
    /** Called before the takes are spoken. */
    async add(dub: string, language: string, keys: readonly string[]): Promise<void> {
      const detail = JSON.stringify([...new Set([...(await keysOf(dub, language)), ...keys])])
      files.note(nameOf(dub, language), { kind: 'request', maker: dub, detail }, dub)
    },
    /** The track has been assembled from those that stay. */
    keep: forget,
    /** Called while no repair of the dub is running. */
    async drop(dub: string, language: string): Promise<void> {
      const keys = await keysOf(dub, language)
      if (keys.length === 0) return
      const track = store.tracks.heads(dub).find(({ languageCode }) => languageCode === language)
      const chosen = new Set(track?.takeKeys)
      store.tracks.removeTakes(
        dub,
        language,
        keys.filter((key) => !chosen.has(key)),
      )
      await forget(dub, language)
    },
  }
}
