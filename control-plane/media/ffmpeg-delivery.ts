// Between a lane and its ffmpeg: feeding it, reading it, and keeping the sound until it is certain that ffmpeg can do the job.
import { Failure } from '#shared/protocol/failure.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import type { Lane } from './threads/lane.ts'

export type Delivery = {
  /** The next bytes, or null at the end. */
  readonly read: () => Promise<Uint8Array | null>
  readonly standIn: string | null
  readonly contentLength?: number
}
/** What was read from the lane in vain, and what ffmpeg said. */
export type Refused = { readonly kept: readonly Uint8Array[]; readonly reason: string }

// An ffmpeg that swallows this much without a byte of output is not waiting for more.
const MOST_KEPT_BYTES = 16 * 1024 * 1024

/** Resolves when ffmpeg has given its first bytes, or has died before them. Throws the failure of the lane. */
export async function encodeWith(child: Ffmpeg, lane: Lane): Promise<Delivery | Refused> {
  let kept: Uint8Array[] | null = []
  let keptBytes = 0

  const feed = async () => {
    try {
      for (let piece = await lane.read(); piece; piece = await lane.read()) {
        kept?.push(piece)
        keptBytes += piece.length
        if (keptBytes > MOST_KEPT_BYTES) kept = null
        if (!(await child.write(piece))) return
      }
      child.end()
    } catch {
      child.kill() // the failure of the lane is told by whoever reads
    }
  }
  const feeding = feed()

  const next = async (): Promise<Uint8Array | null> => {
    // Killing the child destroys its output, which may show as an error of the stream: the end of the child says why.
    const piece = await child.output.next().catch(() => null)
    return piece && !piece.done ? piece.value : null
  }
  const died = (text: string) => new Failure('WORKER_FAILED', `ffmpeg stopped midway: ${lastLine(text)}`)

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
    return { read, standIn: null }
  }
  const { text } = await child.ended
  await feeding // what it was about to write belongs to what was kept
  if (lane.failure() !== null) throw lane.failure()
  if (!kept) throw died(text)
  return { kept, reason: lastLine(text) }
}

const lastLine = (text: string) => text.split('\n').filter(Boolean).at(-1) ?? 'it gave no reason'
