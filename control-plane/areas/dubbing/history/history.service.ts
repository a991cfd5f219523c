// The list of dubs, and their deletion.
import type { Bus } from '../../../events/bus.ts'
import type { DubCore } from '../core.ts'
import type { Dub } from '../store/dub.ts'
import { dubHistoryRow } from '../store/forms.rules.ts'
import type { AbortDub } from './abort.service.ts'
import type { Removal } from './removal.ts'

const LISTED = 30

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows'>
  readonly abort: AbortDub['abort']
  readonly removal: Removal
  readonly bus: Pick<Bus, 'publish'>
}

export function createDubHistory({ core: { store, files, rows }, abort, removal, bus }: Deps) {
  function row(dub: Dub) {
    const texts = Object.fromEntries(
      store.segments.textLanguages(dub.id).map((language) => [language, store.segments.texts(dub.id, language)]),
    )
    const history = dubHistoryRow({ dub, segments: store.segments.list(dub.id), tracks: store.tracks.tracks(dub.id), texts }, files.pathOf)
    return { ...history, size_bytes: rows.bytesOf(dub.id) }
  }
  return {
    list: () => store.dubs.newest(LISTED).map(row),
    /** Ids of other dubs that keep some of the files. */
    async remove(id: string): Promise<string[]> {
      await abort(id)
      const kept = await removal.remove(id)
      bus.publish({ kind: 'dub_history', action: 'deleted', id })
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
