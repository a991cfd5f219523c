// Connects a lane with its ffmpeg child, and keeps the audio until it is certain that ffmpeg can encode it.
import { Failure } from '#shared/protocol/failure.ts'
import type { MediaLane } from '../threads/lane.ts'
import type { Ffmpeg } from './ffmpeg.ts'

export type Delivery = {
  /** The next bytes, or null at the end. */
  readonly read: () => Promise<Uint8Array | null>
  readonly standIn: string | null
  readonly contentLength?: number
  /** Bytes that ffmpeg has received: all of them when `read` has returned null. */
  readonly fed?: () => number
}
/** The audio that was read from the lane, why ffmpeg made nothing of it, as a clause, and its error output. */
export type Refused = { readonly kept: readonly Uint8Array[]; readonly reason: string; readonly text: string }

// An ffmpeg that has consumed this much without output is not waiting for more input.
const MAX_KEPT_BYTES = 16 * 1024 * 1024

/** Resolves when ffmpeg has produced its first bytes, or has exited before them. Throws the failure of the lane. */
export async function encodeWith(child: Ffmpeg, lane: MediaLane): Promise<Delivery | Refused> {
  let kept: Uint8Array[] | null = []
  /** Bytes of all pieces, including those that were dropped. */
  let keptBytes = 0

  const feed = async () => {
    try {
      for (let piece = await lane.read(); piece; piece = await lane.read()) {
        kept?.push(piece)
        keptBytes += piece.length
        if (keptBytes > MAX_KEPT_BYTES) kept = null
        if (!(await child.write(piece))) return
      }
      child.end()
    } catch {
      child.kill() // The reader of the lane receives its failure.
    }
  }
  const feeding = feed()

  const next = async (): Promise<Uint8Array | null> => {
    // Killing the child destroys its output, which may raise a stream error; the exit of the child has the reason.
    const piece = await child.output.next().catch(() => null)
    return piece && !piece.done ? piece.value : null
  }
  const died = (text: string) => new Failure('WORKER_FAILED', 'ffmpeg stopped before the end of the audio.', { cause: new Error(text) })

  const first = await next()
  if (first) {
    kept = null
    let opening: Uint8Array | null = first
    const read = async () => {
      const piece = opening ?? (await next())
      opening = null
      if (piece) return piece
      const { ok, text } = await child.ended
      if (lane.failure() !== null) throw lane.failure()
      if (!ok) throw died(text)
      return null
    }
    return { read, standIn: null, fed: () => keptBytes }
  }
  const { text } = await child.ended
  await feeding // Its pending write is part of the kept audio.
  if (lane.failure() !== null) throw lane.failure()
  if (!kept) throw died(text)
  return { kept, reason: reasonOf(text), text }
}

function reasonOf(text: string): string {
  if (/Unknown encoder|Encoder not found/.test(text)) return 'it was built without this encoder'
  return text.includes('ENOENT') ? 'it is not on this machine any more' : 'it stopped before it wrote anything'
}
