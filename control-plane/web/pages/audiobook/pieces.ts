// The progress of a book as one piece a chapter. Pure.
import type { MadeChapter } from './render.ts'

/** share: of the chapter that is made, 0 to 1 */
export type Piece = { readonly seconds: number; readonly share: number; readonly isFailed: boolean }

const USUAL_SECONDS = 60

/** `lengths`: seconds by the plan, in the order of the chapters. `progress`: of the whole book, 0 to 1 */
export function piecesOf({
  made,
  total,
  lengths,
  progress,
}: {
  made: readonly MadeChapter[]
  total: number
  lengths: readonly number[]
  progress: number
}): Piece[] {
  const known = new Map(made.map((one) => [one.index, one]))
  const seconds = Array.from({ length: total }, (_, at) => known.get(at)?.seconds || lengths[at] || USUAL_SECONDS)
  const whole = seconds.reduce((sum, one) => sum + one, 0)
  // Chapters that are not complete yet share what is spoken beyond those that are, the earlier ones first.
  let rest = progress * whole - made.reduce((sum, { index }) => sum + (seconds[index] ?? 0), 0)
  return seconds.map((length, at) => {
    const one = known.get(at)
    if (one) return { seconds: length, share: 1, isFailed: one.error !== '' }
    const share = Math.max(0, Math.min(1, rest / length))
    rest -= length
    return { seconds: length, share, isFailed: false }
  })
}
