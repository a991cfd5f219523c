// The takes page by page, also those with some words. The texts are read in parts, so that a long history does not block the event loop.
import type { Database } from '#control-plane/store/database.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

export type TakeQuery = {
  /** Id of the take before the first one of the page; null for the newest takes. */
  readonly before: string | null
  /** Words that the text has, in any order and case. */
  readonly q: string
  /** Null for takes with and without a star. */
  readonly starred: boolean | null
  readonly limit: number
}
export type TakeCounts = { readonly takes: number; readonly starred: number }
export type TakeSearch = ReturnType<typeof createTakeSearch>
type At = { readonly viewer: ClientId | null; readonly before: number; readonly limit: number }

/** Texts that are searched in one turn of the event loop, and their characters. */
const [PART_TAKES, PART_CHARS] = [500, 500_000]
const STARS = ['', 'starred = 1 and', 'starred = 0 and'] as const

/** `columns`: of the rows that are returned. */
export function createTakeSearch<Row extends { readonly id: string }>({
  db,
  columns,
}: {
  readonly db: Database
  readonly columns: string
}) {
  const from = (star: string) => `from generation_history where ${star} seq < @before and ${seenBy('take')} order by seq desc limit @limit`
  // A statement for each, because a parameter would keep SQLite from the index of starred takes.
  const rows = STARS.map((star) => db.prepare<At, Row>(`select ${columns} ${from(star)}`))
  const texts = STARS.map((star) => db.prepare<At, { seq: number; text: string }>(`select seq, text ${from(star)}`))
  const one = db.prepare<[number], Row>(`select ${columns} from generation_history where seq = ?`)
  // A take that was deleted a moment ago still has its place.
  const place = db
    .prepare<{ id: string; viewer: ClientId | null }, number>(
      `select seq from generation_history where id = @id and ${seenBy('take')}
      union all select seq from temp.binned_take where id = @id and (@viewer is null or maker = @viewer)`,
    )
    .pluck()
  const newest = db.prepare<[], number | null>('select max(seq) from generation_history').pluck()
  const counts = db.prepare<{ viewer: ClientId | null }, TakeCounts>(`select count(*) as takes, coalesce(sum(starred), 0) as starred
    from generation_history where ${seenBy('take')}`)

  /** The newest takes below `before` in the next part, and where the part ends; null at the end of the history. */
  function nextPart(words: readonly string[], star: number, at: At): { found: number[]; end: number } | null {
    const found: number[] = []
    let [chars, end] = [0, at.before]
    for (const { seq, text } of texts[star]!.iterate({ ...at, limit: PART_TAKES })) {
      end = seq
      const folded = text.toLowerCase()
      if (words.every((word) => folded.includes(word)) && found.push(seq) === at.limit) break
      chars += text.length
      if (chars >= PART_CHARS) break
    }
    return end === at.before ? null : { found, end }
  }

  return {
    /** Null for a page after a take that does not exist. Throws the reason of the signal. */
    async page({ before, q, starred, limit }: TakeQuery, viewer: ClientId | null, signal: AbortSignal): Promise<Row[] | null> {
      const first = before === null ? (newest.get() ?? 0) + 1 : place.get({ id: before, viewer })
      if (first === undefined) return null
      const star = starred === null ? 0 : starred ? 1 : 2
      const words = [...new Set(q.toLowerCase().split(/\s+/).filter(Boolean))]
      if (words.length === 0) return rows[star]!.all({ viewer, before: first, limit })
      const found: Row[] = []
      for (let at = first; found.length < limit; ) {
        const part = nextPart(words, star, { viewer, before: at, limit: limit - found.length })
        if (part === null) break
        found.push(...part.found.flatMap((seq) => one.get(seq) ?? []))
        at = part.end
        await nextTurn()
        signal.throwIfAborted()
      }
      return found
    },
    count: (viewer: ClientId | null): TakeCounts => counts.get({ viewer })!,
  }
}
