// Answers of translation services that were paid for: kept for 30 days, at most 50,000.
import { createHash } from 'node:crypto'
import type { Database } from '#control-plane/store/database.ts'
import { isStorageError } from '#shared/runtime/file.ts'

export type AnswerStore = ReturnType<typeof createAnswerStore>
const KEPT_MS = 30 * 24 * 3_600_000
export const MAX_ANSWERS = 50_000

/** Key of everything that an answer depends on; a change of its meaning needs another first number. */
export const answerKey = (parts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([1, ...parts]))
    .digest('hex')

export function createAnswerStore({
  db,
  now,
  most = MAX_ANSWERS,
}: {
  readonly db: Database
  readonly now: () => number
  readonly most?: number
}) {
  const read = db.prepare<[string, number], string>('select text from translation_answer where key = ? and stored_at > ?').pluck()
  const insert = db.prepare('insert or replace into translation_answer (key, text, stored_at) values (?, ?, ?)')
  const expire = db.prepare('delete from translation_answer where stored_at <= ?')
  const shrink = db.prepare(`delete from translation_answer where key in (
    select key from translation_answer order by stored_at limit max(0, (select count(*) from translation_answer) - ?))`)
  const addAll = db.transaction((answers: readonly (readonly [string, string])[]) => {
    for (const [key, text] of answers) insert.run(key, text, now())
    expire.run(now() - KEPT_MS)
    shrink.run(most)
  })
  return {
    /** Null without one. */
    find: (key: string): string | null => read.get(key, now() - KEPT_MS) ?? null,
    /** A full disk is no failure of a translation: the answers are then not kept. */
    keep(answers: readonly (readonly [key: string, text: string])[]): void {
      try {
        addAll(answers)
      } catch (error) {
        if (!isStorageError(error)) throw error
      }
    },
  }
}
