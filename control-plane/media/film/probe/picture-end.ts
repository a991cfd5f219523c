// When the picture of a film really ends: a header may announce any length, so the last packets are asked.
import { z } from 'zod'
import { ffprobeArguments } from '../guard/arguments.ts'
import type { Workspace } from '../guard/workspace.ts'
import type { FilmProbe } from './probe.rules.ts'

const LIMIT_MS = 30_000
/** Read before the announced end: longer than the distance of key frames, to which a reader goes back anyway. */
const TAIL_SECONDS = 10
/** Latest start of a single picture: it is at the start, except for the delay of an encoder. */
const STILL_US = 1e6
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024
const Packets = z.object({ packets: z.array(z.object({ pts_time: z.string().optional(), duration_time: z.string().optional() })) })

export type PictureEnd = {
  /** Microseconds from the start of the picture to the end of its last packet. */ readonly us: number /** One packet. */
  readonly isStill: boolean
}

/**
 * The end of the picture near the announced one, or near `untilUs` where the file announces more.
 * Null without a picture, an announced length or packets there. Throws EXECUTION_TIMEOUT, PROGRAM_MISSING, BAD_REQUEST for a file that ffprobe cannot read, and the reason of the signal.
 */
export async function readPictureEnd(
  program: string,
  workspace: Workspace,
  { video, durationUs }: FilmProbe,
  untilUs = Number.POSITIVE_INFINITY,
): Promise<PictureEnd | null> {
  if (video === null || durationUs === null) return null
  const from = Math.max(0, (video.startUs + Math.min(durationUs, untilUs)) / 1e6 - TAIL_SECONDS)
  const asked = ['-select_streams', `v:${video.position}`, '-read_intervals', `${from.toFixed(3)}%`]
  const pieces: Buffer[] = []
  let bytes = 0
  await workspace.run({
    program,
    args: ffprobeArguments([...asked, '-show_entries', 'packet=pts_time,duration_time']),
    limitMs: LIMIT_MS,
    take(piece) {
      bytes += piece.length
      if (bytes <= MAX_OUTPUT_BYTES) pieces.push(piece)
    },
  })
  const parsed = bytes <= MAX_OUTPUT_BYTES ? Packets.safeParse(jsonOf(Buffer.concat(pieces).toString())) : null
  const packets = parsed?.data?.packets ?? []
  const ends = packets
    .map(({ pts_time: at, duration_time: length }) => Number(at ?? Number.NaN) + Number(length ?? 0))
    .filter(Number.isFinite)
  if (ends.length === 0) return null
  const first = Math.round(Number(packets[0]!.pts_time) * 1e6)
  return {
    us: Math.round(ends.reduce((last, end) => Math.max(last, end)) * 1e6) - video.startUs,
    isStill: packets.length === 1 && first - video.startUs < STILL_US,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
