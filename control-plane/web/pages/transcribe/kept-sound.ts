// The sound of a dictation that was not sent, or that a studio which stops may not have used: the newest minute. Positions are bytes since the
// beginning. Pure.

export type KeptSound = ReturnType<typeof keepSound>

/** `most`: bytes, beyond which the oldest sound is dropped */
export function keepSound(most: number) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  /** Positions of what is kept, and where the sound of this connection begins. */
  let [start, end, base] = [0, 0, 0]
  /** Pieces at the end that were not sent. */
  let unsent = 0
  let missed = 0

  function drop() {
    const bytes = pieces.shift()!.byteLength
    start += bytes
    return bytes
  }
  return {
    /** False if sound that was not sent has been dropped. */
    add(piece: Uint8Array<ArrayBuffer>) {
      const before = missed
      pieces.push(piece)
      unsent++
      end += piece.byteLength
      while (end - start > most) {
        const isUnsent = unsent === pieces.length
        const bytes = drop()
        if (!isUnsent) continue
        unsent--
        missed += bytes
      }
      return missed === before
    },
    /** A connection begins with what the one before has not used. `used`: bytes of that one; null for all that was sent to it */
    begin(used: number | null) {
      const from = used === null ? end : Math.min(end, base + used)
      if (used === null) while (pieces.length > unsent) drop()
      else {
        while (pieces[0] && start + pieces[0].byteLength <= from) drop()
        unsent = pieces.length
        // What was not sent is a part of it.
        missed = Math.max(missed, start - from)
        if (pieces[0] && start < from) {
          pieces[0] = pieces[0].subarray(from - start)
          start = from
        }
      }
      base = start
    },
    /** The next piece to send; undefined without one. */
    next: () => (unsent > 0 ? pieces[pieces.length - unsent--] : undefined),
    isAllSent: () => unsent === 0,
    /** Bytes after the first `used` of this connection. */
    after: (used: number) => end - base - used,
    /** Bytes that were dropped before they were sent, since the last call. */
    missed() {
      const bytes = missed
      missed = 0
      return bytes
    },
  }
}
