// The facts about a film that its processing needs, from ffprobe.
import { Failure } from '#shared/protocol/failure.ts'
import { ffprobeArguments } from '../guard/arguments.ts'
import { SOURCE } from '../guard/guard.ts'
import type { Workspace } from '../guard/workspace.ts'
import { mp4Fault } from './mp4-faults.ts'
import { type FilmProbe, filmOf, Probed } from './probe.rules.ts'

const LIMIT_MS = 30_000
/** A file may contain thousands of streams and megabytes of tags. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024
const ASKED = ['-show_format', '-show_streams', '-show_chapters']

/** `name`: of a file in the workspace; absent: the foreign one. Throws BAD_REQUEST for a file that is no film or has too many parts, EXECUTION_TIMEOUT, PROGRAM_MISSING, and the reason of the signal. */
export async function probeFilm(program: string, workspace: Workspace, name?: string): Promise<FilmProbe> {
  const pieces: Buffer[] = []
  let bytes = 0
  const fault = await mp4Fault(workspace.path(name ?? SOURCE))
  if (fault !== null) throw new Failure('BAD_REQUEST', fault)
  await workspace.run({
    program,
    args: ffprobeArguments(ASKED, name),
    limitMs: LIMIT_MS,
    take(piece) {
      bytes += piece.length
      if (bytes > MAX_OUTPUT_BYTES) throw new Failure('BAD_REQUEST', 'The film has more streams and tags than can be listed.')
      pieces.push(piece)
    },
  })
  return filmOf(parse(Buffer.concat(pieces).toString()))
}

function parse(text: string): Probed {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Failure('BAD_REQUEST', 'The film cannot be read: it has a description that is not understood.', { cause })
  }
  const parsed = Probed.safeParse(value)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Failure('BAD_REQUEST', `The film is not supported: ${path.slice(0, 3).map(String).join('.')}: ${message}.`)
}
