// Checks what may be uploaded for a dub. Pure.

import { INPUT_TYPES, type InputType } from '#control-plane/features/dubbing/store/dub.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const JOB_ID = /^[A-Za-z0-9_-]{1,64}$/
const AUDIO_TYPES = ['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.opus', '.wma'] as const

/** Null for a new id. Throws BAD_REQUEST. */
export function wantedId(text: string | null | undefined): string | null {
  if (!text) return null
  if (!JOB_ID.test(text)) throw new Failure('BAD_REQUEST', 'Invalid job id')
  return text
}

/** Throws BAD_REQUEST. */
export function inputTypeOf(text: string | null | undefined): InputType {
  const wanted = text || 'video'
  const found = INPUT_TYPES.find((one) => one === wanted)
  if (!found) throw new Failure('BAD_REQUEST', 'input_type must be video or audio.')
  return found
}

export const isAudioName = (filename: string): boolean => AUDIO_TYPES.some((type) => filename.toLowerCase().endsWith(type))

/** Throws BAD_REQUEST for a recording of another type. */
export function requireAudioType(filename: string): void {
  if (!isAudioName(filename))
    throw new Failure('BAD_REQUEST', `The recording must be one of ${AUDIO_TYPES.join(', ')}. Send films with input_type video.`)
}

/** Throws CONFLICT without ffmpeg and ffprobe. */
export function requireFilmPrograms(hasPrograms: () => boolean): void {
  if (!hasPrograms())
    throw new Failure('CONFLICT', `Dubbing needs ffmpeg and ffprobe, which are not on this machine. ${COMMAND} setup installs them.`)
}
