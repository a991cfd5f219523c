// The plan of the manuscript, as the studio reads it: its voices, the length of its chapters, and what is left out.
import { messageOf, post } from '#control-plane/web/lib/api.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import type { Book } from './book.ts'
import { isIncluded, type LeftOut, type Plan, type Role, rolesOf, secondsOf, textOf } from './manuscript.ts'

/** After the last key, so that a long book is not read with every one. */
const SETTLE_MS = 1000

export type Length = { readonly words: number; readonly seconds: number }
export type BookPlan = {
  readonly roles: readonly Role[]
  /** By place of the chapter; one without words has none. */
  readonly lengths: ReadonlyMap<number, Length>
  readonly leftOut: readonly LeftOut[]
}
const NO_PLAN: BookPlan = { roles: [{ voice: '', parts: 0 }], lengths: new Map(), leftOut: [] }

export const planned = (plan: Plan): BookPlan => ({
  roles: rolesOf(plan),
  lengths: new Map(plan.chapters.map(({ place, words, minutes }) => [place, { words, seconds: 60 * minutes }])),
  leftOut: plan.left_out,
})

export function usePlan({ chapters, language }: Pick<Book, 'chapters' | 'language'>) {
  const [{ plan, error }, set] = useState({ plan: NO_PLAN, error: '' })
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const plan = planned(await post('/audiobook/plan', { text: textOf(chapters), ...(language && { language }) }))
        if (isCurrent) set({ plan, error: '' })
      } catch (failure) {
        if (isCurrent) set((now) => ({ ...now, error: messageOf(failure) }))
      }
    }, SETTLE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [chapters, language])
  return { plan, error }
}

/** The chapters that are spoken, and their length. Until the plan is there, the time is estimated, and `words` is null. */
export function spokenLength(chapters: Book['chapters'], { lengths }: BookPlan) {
  const sum = { words: 0, seconds: 0, chapters: 0 }
  for (const [at, chapter] of chapters.entries()) {
    if (!isIncluded(chapter)) continue
    sum.chapters++
    sum.words += lengths.get(at)?.words ?? 0
    sum.seconds += lengths.get(at)?.seconds ?? (lengths.size === 0 ? secondsOf(chapter.text.length) : 0)
  }
  return { ...sum, words: lengths.size === 0 ? null : sum.words }
}

/** Parts that are not spoken, with the reasons of the import where it has some. */
export function leftOutOf({ skipped, reasons }: Pick<Book, 'skipped' | 'reasons'>, { leftOut }: BookPlan): LeftOut[] {
  return [...leftOut.map(({ title, why }) => ({ title, why: reasons[title] ?? why })), ...skipped]
}
