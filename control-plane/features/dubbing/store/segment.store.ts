// The lines of dubs, and their texts in other languages.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { type DubLine, LINE_COLUMNS, LineCheck } from './line.ts'

/** The check is JSON. */
type Row = Omit<DubLine, 'qc'> & { readonly qc: string | null }
const READ = LINE_COLUMNS.map(({ field, column }) => `${column} as ${field}`).join(', ')
const COLUMNS = LINE_COLUMNS.map(({ column }) => column).join(', ')
const VALUES = LINE_COLUMNS.map(({ field }) => `@${field}`).join(', ')
const SET = LINE_COLUMNS.map(({ field, column }) => `${column} = @${field}`).join(', ')
export type SegmentRows = ReturnType<typeof createSegmentRows>

/** Throws STORAGE_FULL from the functions that write. */
export function createSegmentRows({ db }: { readonly db: Database }) {
  const all = db.prepare<[string], Row>(`select ${READ} from dub_segment where dub_id = ? order by position, id`)
  const count = db.prepare<[string], number>('select count(*) from dub_segment where dub_id = ?').pluck()
  const insert = db.prepare(`insert into dub_segment (dub_id, position, ${COLUMNS}) values (@dubId, @position, ${VALUES})`)
  const clear = db.prepare<[string]>('delete from dub_segment where dub_id = ?')
  const update = db.prepare(`update dub_segment set ${SET} where dub_id = @dubId and id = @id`)
  const textRows = db.prepare<[string, string], { segment_key: string; text: string }>(
    'select segment_key, text from dub_text where dub_id = ? and language = ?',
  )
  /** One statement, because the lines of a long film are thousands; texts that stay are not written. */
  const setTexts = db.prepare<{
    dubId: string
    language: string
    texts: string
  }>(`insert into dub_text (dub_id, language, segment_key, text)
    select @dubId, @language, key, value from json_each(@texts) where true
    on conflict do update set text = excluded.text where text is not excluded.text`)
  const languages = db.prepare<[string], string>('select distinct language from dub_text where dub_id = ? order by language').pluck()
  const write = <T>(run: () => T): T => storageChecked('The lines of the dub could not be stored', run)
  const stored = (dubId: string, { qc, ...segment }: DubLine) => ({ ...segment, dubId, qc: qc && JSON.stringify(qc) })
  const clearTexts = db.prepare<[string, string]>(
    'delete from dub_text where dub_id = ? and segment_key not in (select value from json_each(?))',
  )
  /** Ids of the lines that are stored with the same text. */
  function unchanged(dubId: string, segments: readonly DubLine[]): string[] {
    const before = new Map(all.all(dubId).map(({ id, textOriginal }) => [id, textOriginal]))
    return segments.filter(({ id, textOriginal }) => before.get(id) === textOriginal).map(({ id }) => id)
  }
  const replaceAll = db.transaction((dubId: string, segments: readonly DubLine[], areOthers: boolean) => {
    if (areOthers) clearTexts.run(dubId, JSON.stringify(unchanged(dubId, segments)))
    clear.run(dubId)
    for (const [position, segment] of segments.entries()) insert.run({ ...stored(dubId, segment), position })
  })
  const updateAll = db.transaction((dubId: string, segments: readonly DubLine[]) =>
    segments.reduce((sum, segment) => sum + update.run(stored(dubId, segment)).changes, 0),
  )

  return {
    /** In their order. */
    list: (dubId: string): DubLine[] => all.all(dubId).map(segmentOf),
    count: (dubId: string): number => count.get(dubId)!,
    /** All lines at once, in this order. Ids must be unique. */
    replace: (dubId: string, segments: readonly DubLine[]): void => write(() => replaceAll.immediate(dubId, segments, false)),
    /** Same as `replace`, by lines that may have the ids of others: only lines with the same text keep their texts in other languages. */
    replaceByOthers: (dubId: string, segments: readonly DubLine[]): void => write(() => replaceAll.immediate(dubId, segments, true)),
    /** Lines by their id; their order stays. Returns how many exist. */
    update: (dubId: string, segments: readonly DubLine[]): number => write(() => updateAll.immediate(dubId, segments)),
    /** Keeps the texts of other lines. */
    setTexts: (dubId: string, language: string, texts: Readonly<Record<string, string>>): void =>
      void write(() => setTexts.run({ dubId, language, texts: JSON.stringify(texts) })),
    /** By key of the line; empty if none were stored. */
    texts: (dubId: string, language: string): Record<string, string> =>
      Object.fromEntries(textRows.all(dubId, language).map(({ segment_key, text }) => [segment_key, text])),
    textLanguages: (dubId: string): string[] => languages.all(dubId),
  }
}

const segmentOf = (row: Row): DubLine => ({ ...row, qc: row.qc === null ? null : LineCheck.parse(JSON.parse(row.qc)) })
