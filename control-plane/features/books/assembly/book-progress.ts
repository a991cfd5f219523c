// Progress of a book: its speech, and the chapters that are mastered from it. With fast voices mastering is the slower of both.
import type { Clock } from '#shared/runtime/clock.ts'

/** Share of speech in the work for a second of sound, with the embedded voice. */
const SPEECH_SHARE = 0.75
const EVERY_MS = 1_000
const MS = 1_000

/** Predicted seconds of sound. first: when it was reported first; null before. */
type Part = { first: number | null; left: number }
type Report = (progress: { readonly fraction: number | null; readonly secondsLeft: number | null; readonly frame: null }) => void

/** Reports at most once a second. `total`: predicted seconds of sound. Both functions take the seconds that are left. */
export function bookProgress(total: number, report: Report, clock: Pick<Clock, 'mono'>) {
  const startedAt = clock.mono()
  /** Progress of the speech. Speech that was cached before does not count for its pace. */
  const speech: Part = { first: null, left: total }
  const chapters: Part = { first: total, left: total }
  let last = Number.NEGATIVE_INFINITY

  /** At the pace so far; null before there is one. */
  function secondsLeft({ first, left }: Part, now: number): number | null {
    if (left <= 0) return 0
    const pace = ((first ?? left) - left) / ((now - startedAt) / MS)
    return pace > 0 ? left / pace : null
  }
  function update(part: Part, left: number): void {
    part.first ??= left
    part.left = Math.max(0, left)
    const now = clock.mono()
    if (now - last < EVERY_MS) return
    last = now
    const known = [secondsLeft(speech, now), secondsLeft(chapters, now)].filter((seconds) => seconds !== null)
    report({
      fraction: total === 0 ? null : 1 - (SPEECH_SHARE * speech.left + (1 - SPEECH_SHARE) * chapters.left) / total,
      // Speech whose pace is not known yet may take any time.
      secondsLeft: secondsLeft(speech, now) === null ? null : Math.max(...known),
      frame: null,
    })
  }
  return {
    spoken: (left: number) => update(speech, left),
    mastered: (left: number) => update(chapters, left),
  }
}
