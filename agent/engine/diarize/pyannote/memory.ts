// Memory that one diarisation needs besides the loaded networks. Pure.
import { FRAMES, RATE, SPEAKERS, STEP } from './activity.ts'

/** Most dimensions of the vector of a voice. */
const DIMENSIONS = 512
/** A vector is stored three times: as computed, normalised to length 1, and in double precision as the centroid of its group. */
const DIMENSION_BYTES = 4 + 4 + 8
/** The window and its speech, its features and the results of the networks. */
const WORK_BYTES = 64 * 1024 ** 2

/** Upper bound in bytes: the samples, and of each second a window with its frames and three voices. */
export function diarisationBytes(seconds: number): number {
  const windows = Math.ceil((seconds * RATE) / STEP) + 1
  return Math.ceil(4 * RATE * seconds) + windows * (FRAMES + SPEAKERS * DIMENSIONS * DIMENSION_BYTES) + WORK_BYTES
}
