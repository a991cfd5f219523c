// The subtitles that the page of a film offered.
import { z } from 'zod'
import { type Database, storageChecked } from '#control-plane/store/database.ts'

export type Caption = { readonly start_us: number; readonly end_us: number; readonly text: string }
/** By language. */
export type Captions = Readonly<Record<string, readonly Caption[]>>
export type CaptionRows = ReturnType<typeof createCaptionRows>
/** Captions that this version wrote: their fields are not checked again. */
const Stored = z.custom<readonly Caption[]>((value) => Array.isArray(value))

export function createCaptionRows({ db }: { readonly db: Database }) {
  const all = db.prepare<[string], { language: string; cues: string }>(
    'select language, cues from dub_caption where dub_id = ? order by rowid',
  )
  const clear = db.prepare<[string]>('delete from dub_caption where dub_id = ?')
  const insert = db.prepare<[string, string, string]>('insert into dub_caption (dub_id, language, cues) values (?, ?, ?)')
  const replaceAll = db.transaction((dubId: string, captions: Captions) => {
    clear.run(dubId)
    for (const [language, cues] of Object.entries(captions)) insert.run(dubId, language, JSON.stringify(cues))
  })
  return {
    /** Null for a dub without any. */
    of(dubId: string): Captions | null {
      const rows = all.all(dubId)
      return rows.length === 0 ? null : Object.fromEntries(rows.map(({ language, cues }) => [language, Stored.parse(JSON.parse(cues))]))
    },
    /** Throws STORAGE_FULL. */
    replace: (dubId: string, captions: Captions): void =>
      storageChecked('The subtitles of the film could not be stored', () => replaceAll.immediate(dubId, captions)),
  }
}
