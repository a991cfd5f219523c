// A long recording for a recogniser that hears thirty seconds at a time: after each window, how far to go on. Pure.

export type WindowChunk = { readonly timestamp: readonly [number | null, number | null]; readonly text: string }
export type TimedText = { readonly start: number; readonly end: number; readonly text: string }

export const WINDOW_SECONDS = 30
/** A sentence that began later than this is heard again as a whole; an earlier one would make the windows crawl. */
const LEAST_ADVANCE = 10

/**
 * What a window that begins at `from` adds, and where the next one begins. The last sentence of a full window may be cut through, so it is
 * left to the next window, unless it is all there is.
 */
export function settleWindow(
  chunks: readonly WindowChunk[],
  from: number,
  windowSeconds: number,
  isLast: boolean,
): { heard: TimedText[]; next: number } {
  const said = chunks.flatMap(({ timestamp: [start, end], text }): TimedText[] => {
    const words = text.trim()
    if (words === '') return []
    const first = Math.min(Math.max(0, start ?? 0), windowSeconds)
    return [{ start: from + first, end: from + Math.min(Math.max(first, end ?? windowSeconds), windowSeconds), text: words }]
  })
  const ordered = said.map((one, at) => ({ ...one, start: Math.max(one.start, ...said.slice(0, at).map(({ start }) => start), from) }))
  const last = ordered.at(-1)
  if (isLast || !last) return { heard: ordered, next: from + windowSeconds }
  if (ordered.length > 1 && last.start - from >= LEAST_ADVANCE) return { heard: ordered.slice(0, -1), next: last.start }
  return { heard: ordered, next: from + windowSeconds }
}
