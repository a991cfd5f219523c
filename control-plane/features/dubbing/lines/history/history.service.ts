// The list of dubs, and their deletion.

import type { Bus } from '#control-plane/events/bus.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import { dubHistoryRow, dubSummary } from '#control-plane/features/dubbing/store/forms.rules.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'

const LISTED = 30

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows' | 'plans'>
  readonly abort: AbortDub['abort']
  readonly removal: Removal
  readonly bus: Pick<Bus, 'publish'>
}

export function createDubHistory({ core: { store, files, rows, plans }, abort, removal, bus }: Deps) {
  async function row(dub: Dub) {
    const texts = Object.fromEntries(
      store.segments.textLanguages(dub.id).map((language) => [language, store.segments.texts(dub.id, language)]),
    )
    const tracks = await plans.of(dub.id)
    const [segments, captions] = [store.segments.list(dub.id), store.captions.of(dub.id)]
    const history = dubHistoryRow({ dub, segments, tracks, texts, captions }, files.pathOf)
    return { ...history, size_bytes: rows.bytesOf(dub.id) }
  }
  return {
    /** `viewer`: only dubs of this client; null for all. */
    async list(viewer: ClientId | null) {
      const listed = []
      for (const dub of store.dubs.newest(LISTED, viewer)) listed.push(await row(dub))
      return listed
    },
    /** The dubs without their lines, newest first. `viewer` as in `list`. */
    summaries: (limit: number, viewer: ClientId | null) =>
      store.dubs.summaries(limit, viewer).map((dub) => ({
        ...dubSummary(
          dub,
          store.segments.count(dub.id),
          store.tracks.trackFiles(dub.id).map(({ languageCode }) => languageCode),
        ),
        size_bytes: rows.bytesOf(dub.id),
      })),
    /** Throws NOT_FOUND for a dub that the history does not list: it is unknown, or its sound is not extracted yet. */
    async read(id: string) {
      const dub = store.dubs.find(id)
      if (!dub?.sound) throw new Failure('NOT_FOUND', 'There is no dub with this id in the history. It may have been deleted.')
      return await row(dub)
    },
    /** Ids of other dubs that keep some of the files. */
    async remove(id: string): Promise<string[]> {
      const isKnown = store.dubs.find(id) !== null
      await abort(id)
      const kept = await removal.remove(id)
      if (isKnown) bus.publish({ kind: 'dub_history', action: 'deleted', id })
      return kept
    },
    /** The number of dubs that were listed. */
    async clear(): Promise<number> {
      const count = store.dubs.count()
      for (const id of store.dubs.ids()) {
        await abort(id)
        await removal.remove(id)
      }
      bus.publish({ kind: 'dub_history' })
      return count
    },
  }
}
