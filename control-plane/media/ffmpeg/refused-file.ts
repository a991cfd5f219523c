// Messages about a file that ffmpeg or ffprobe refuses. Their own words name streams, maps and options, so they are written to the log
// only.
import { Failure } from '#shared/protocol/failure.ts'

export const NO_SOUND = 'There is no sound in the file.'
const WITHOUT_SOUND = /matches no streams|does not contain any stream/
/** The first one that is found is the reason. */
const REASONS: readonly (readonly [found: RegExp, reason: string])[] = [
  [/moov atom not found/, 'it is incomplete, because its index (moov) is missing; send the whole file'],
  [
    /\[(?:hls|dash|concat|imf|sdp)\b[^\][]*\] Format not on whitelist|Protocol/,
    'it refers to other files or addresses, which are not opened',
  ],
  [/Format not on whitelist/, 'it is of a format that is not supported; convert it to WAV, FLAC or MP3'],
  [/no decoder found|Unknown decoder|codec not currently supported/, 'this build of ffmpeg has no decoder for it'],
  [/Cannot allocate memory|max_alloc|Picture size/, 'it needs more memory than a file may use'],
]
const DAMAGED = 'it is damaged, or of a kind that is not supported'

/** BAD_REQUEST for the sender of a file. `what`: a noun for the file. `text`: the error output. */
export const refusedFile = (what: string, text: string): Failure =>
  new Failure(
    'BAD_REQUEST',
    WITHOUT_SOUND.test(text) ? NO_SOUND : `The ${what} cannot be read: ${REASONS.find(([found]) => found.test(text))?.[1] ?? DAMAGED}.`,
    {
      cause: new Error(text),
    },
  )
