// The content of a subtitle file.

/** Times are microseconds. `text` has no markup and no blank lines. */
export type SubtitleCue = {
  readonly startUs: number
  readonly endUs: number
  readonly text: string
  /** Null when the file does not name one. */
  readonly speaker: string | null
}
export type SubtitleCounts = {
  readonly imported: number
  /** Cues whose times are unreadable or not in order, and cues without text. */
  readonly skipped: number
  /** Cues that show again what the ones before them show. */
  readonly droppedOverlaps: number
  /** Cues that were cut at the end of the film. */
  readonly clamped: number
  /** Cues that start at or after the end of the film. */
  readonly afterEnd: number
}
