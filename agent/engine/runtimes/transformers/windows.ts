// Splits a long recording for a recogniser with a window of thirty seconds: decides after each window where the next one starts. Pure.

export type WindowChunk = { readonly timestamp: readonly [number | null, number | null]; readonly text: string }
export type TimedText = { readonly start: number; readonly end: number; readonly text: string }

export const WINDOW_SECONDS = 30
/** A sentence that starts later in the window is recognised again as a whole; repeating earlier ones would make the windows too slow. */
const MIN_ADVANCE_SECONDS = 10

/**
 * The text of a window that starts at `from` seconds, and the start of the next one. The last sentence of a full window may be cut off, so
 * it is left to the next window unless it is the only one.
 */
export function settleWindow(
  chunks: readonly WindowChunk[],
  from: number,
  windowSeconds: number,
  isLast: boolean,
): { texts: TimedText[]; next: number } {
  const timed = chunks.flatMap(({ timestamp: [start, end], text }): TimedText[] => {
    const words = text.trim()
    if (words === '') return []
    const first = Math.min(Math.max(0, start ?? 0), windowSeconds)
    return [{ start: from + first, end: from + Math.min(Math.max(first, end ?? windowSeconds), windowSeconds), text: words }]
  })
  const ordered = timed.map((one, at) => ({ ...one, start: Math.max(one.start, ...timed.slice(0, at).map(({ start }) => start), from) }))
  const last = ordered.at(-1)
  if (isLast || !last) return { texts: ordered, next: from + windowSeconds }
  if (ordered.length > 1 && last.start - from >= MIN_ADVANCE_SECONDS) return { texts: ordered.slice(0, -1), next: last.start }
  return { texts: ordered, next: from + windowSeconds }
}
