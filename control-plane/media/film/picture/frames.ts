// Small pictures of a film at given times, in pairs, so that movement can be told.
import { ffmpegArguments, foreignInput } from '../guard/arguments.ts'
import type { Workspace } from '../guard/workspace.ts'
import type { FilmProbe } from '../probe/probe.rules.ts'
import type { PictureTools } from './picture.ts'

export const FRAME_WIDTH = 96
export const FRAME_HEIGHT = 54
const FRAME_BYTES = FRAME_WIDTH * FRAME_HEIGHT * 3
const PAIR_BYTES = 2 * FRAME_BYTES
/** Pictures of a pair are 0.2 s apart. */
const PAIR_RATE = 5
const LIMIT_MS = 60_000

/** Bytes of red, green and blue, row by row. `second` is null at the end of the film. */
export type FramePair = { readonly first: Uint8Array; readonly second: Uint8Array | null }

/**
 * One pair for each time (microseconds from the start of the picture); null if the film has no picture. Throws as `runGuarded`. A film is
 * read once for each time, from the key frame before it.
 */
export async function readFrames(
  { program, threads }: PictureTools,
  workspace: Workspace,
  film: FilmProbe,
  timesUs: readonly number[],
): Promise<(FramePair | null)[]> {
  const pairs: (FramePair | null)[] = []
  for (const timeUs of film.video ? timesUs : []) {
    const input = foreignInput(timeUs > 0 ? ['-ss', (timeUs / 1e6).toFixed(3)] : [])
    const filter = `fps=${PAIR_RATE},scale=${FRAME_WIDTH}:${FRAME_HEIGHT}`
    const output = ['-map', `0:v:${film.video!.position}`, '-an', '-sn', '-frames:v', '2', '-vf', filter]
    const bytes = Buffer.alloc(PAIR_BYTES)
    let length = 0
    await workspace.run({
      program,
      args: ffmpegArguments([input], [...output, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'], threads),
      limitMs: LIMIT_MS,
      take: (piece) => {
        length += piece.copy(bytes, length)
      },
    })
    const first = length >= FRAME_BYTES ? bytes.subarray(0, FRAME_BYTES) : null
    pairs.push(first && { first, second: length >= PAIR_BYTES ? bytes.subarray(FRAME_BYTES) : null })
  }
  return pairs
}
