/** A file that is refused. The message says why, and what to do. */
export class UnreadableSubtitles extends Error {
  override readonly name = 'UnreadableSubtitles'
}
