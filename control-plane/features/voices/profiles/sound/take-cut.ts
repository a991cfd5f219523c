// The part of a take that becomes the reference of a voice: leading whole chunks, whose words are known, or the start up to a pause.
import { z } from 'zod'
import { silences } from '#shared/audio/pauses.ts'
import { concat } from '#shared/audio/stage.ts'

/** A longer reference slows engines down and makes none of them better. */
export const MAX_SECONDS = 15
const MIN_SECONDS = 3
const PAUSE_DB = -40
const PAUSE_MS = 100
const TAIL_SECONDS = 0.1
const FADE_SECONDS = 0.01

const Chunks = z.object({
  taskId: z.string().nullable(),
  sampleRate: z.number().positive(),
  leadMs: z.number().min(0),
  crossfade: z.number().min(0),
  parts: z.array(z.object({ text: z.string(), samples: z.number().min(0), silent: z.literal(true).optional() })),
})
type Chunks = z.output<typeof Chunks>

/** Ranges in samples. */
type Range = { readonly from: number; readonly to: number }
export type ChunkCut = {
  readonly text: string
  readonly sampleRate: number
  readonly taskId: string | null
  /** Ranges of the output of the task, without its silent parts. */
  readonly ofOutput: readonly Range[]
  /** Range of the file of the take. */
  readonly ofFile: Range
}

/** The leading whole chunks of at most 15 s; null if their list is unknown or the first one is longer. `json`: of TakeChunks, or ''. */
export function cutAtChunks(json: string): ChunkCut | null {
  const chunks = parsed(json)
  if (!chunks) return null
  const { sampleRate, leadMs, crossfade, parts, taskId } = chunks
  const limit = MAX_SECONDS * sampleRate
  const ofOutput: Range[] = []
  const words: string[] = []
  const from = Math.round((leadMs * sampleRate) / 1000)
  let [outputAt, fileAt, lastHalf] = [0, from, 0]
  let isCut = false
  for (const { text, samples, silent } of parts) {
    const start = outputAt
    outputAt += samples
    if (silent || samples === 0) continue
    const half = samples >> 1
    const overlap = lastHalf === 0 ? 0 : Math.min(crossfade, half, lastHalf)
    if (fileAt - overlap + samples - from > limit) {
      // The end of the last chunk is mixed with this one.
      if (words.length > 0) fileAt -= overlap
      isCut = true
      break
    }
    fileAt += samples - overlap
    lastHalf = half
    ofOutput.push({ from: start, to: outputAt })
    words.push(text.trim())
  }
  if (words.length === 0 || (!isCut && fileAt <= from)) return null
  return { text: words.filter(Boolean).join(' '), sampleRate, taskId, ofOutput, ofFile: { from, to: fileAt } }
}

function parsed(json: string): Chunks | null {
  if (json === '') return null
  try {
    return Chunks.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}

/** The number of samples up to the last pause between second 3 and 15, or to second 15 without one; all of a shorter take. */
export function lengthToPause(samples: Float32Array, rate: number): number {
  const limit = MAX_SECONDS * rate
  if (samples.length <= limit) return samples.length
  const pauses = silences(samples.subarray(0, limit + rate), rate, PAUSE_DB, PAUSE_MS)
  const last = pauses.findLast(({ from }) => from >= MIN_SECONDS * rate && from <= limit)
  return last ? Math.min(last.to, last.from + Math.round(TAIL_SECONDS * rate)) : limit
}

/** The ranges joined, with a short fade at the end, so that it is no click. */
export function joinRanges(samples: Float32Array, ranges: readonly Range[], rate: number): Float32Array {
  const joined = concat(ranges.map(({ from, to }) => samples.subarray(from, to)))
  const fade = Math.min(joined.length, Math.round(FADE_SECONDS * rate))
  for (let left = 0; left < fade; left++) joined[joined.length - 1 - left]! *= left / fade
  return joined
}
