// The newest sound of a dictation, until a studio has used it. Positions are bytes since the beginning. Pure.

const SAMPLE_BYTES = 2
export type HeldSound = ReturnType<typeof holdSound>

/** `most`: bytes, beyond which the oldest sound is dropped, in whole samples */
export function holdSound(most: number) {
  let bytes: Buffer = Buffer.alloc(0)
  let start = 0
  /** The next byte to send, and the first one of this connection. */
  let [at, base] = [0, 0]
  let lost = 0
  const end = () => start + bytes.length

  return {
    push(piece: Uint8Array): void {
      bytes = Buffer.concat([bytes, piece])
      const over = bytes.length - most
      if (over <= 0) return
      // Rather half a sample more than a byte that was not sent.
      const dropped = over + (over === at - start ? -1 : 1) * (over % SAMPLE_BYTES)
      bytes = bytes.subarray(dropped)
      start += dropped
      lost += Math.max(0, start - at)
      at = Math.max(at, start)
    },
    /** A connection begins with what the one before has not used. `used`: bytes of that one; null for all that was sent to it */
    begin(used: number | null): void {
      if (used !== null) {
        const from = Math.min(end(), base + used)
        // What was dropped before it was sent is a part of it.
        lost = Math.max(lost, start - from)
        at = Math.max(start, from)
      }
      base = at
    },
    /** The next bytes to send. */
    take(count: number): Uint8Array<ArrayBuffer> {
      const piece = new Uint8Array(bytes.subarray(at - start, at - start + count))
      at += piece.length
      return piece
    },
    isAllSent: (): boolean => at === end(),
    /** Bytes after the first `used` of this connection. */
    after: (used: number): number => end() - base - used,
    /** Bytes that were dropped before a studio has used them, since the last call. */
    lost(): number {
      const count = lost
      lost = 0
      return count
    },
  }
}
