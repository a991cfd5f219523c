// Memory that one diarisation needs besides the loaded networks. Pure.

const SAMPLE_RATE = 16_000
/** From the metadata of the segmentation network: windows of 10 s, one each second, with 589 frames and at most 3 speakers. */
const WINDOW_SECONDS = 10
const FRAMES = 589
const SPEAKERS = 3
/** Per frame: 7 scores, and three tables with a column per speaker. */
const FRAME_BYTES = 4 * (7 + 3 * SPEAKERS)

/** Voices to compare: one per speaker and window. */
export const mostVoices = (seconds: number): number => SPEAKERS * Math.max(1, Math.ceil(seconds - WINDOW_SECONDS) + 1)

/** Upper bound in bytes: the samples, the frames of all windows, and the distances between all pairs of voices. */
export function diarisationBytes(seconds: number): number {
  const voices = mostVoices(seconds)
  const distances = 8 * ((voices * (voices - 1)) / 2)
  return Math.ceil(4 * SAMPLE_RATE * seconds) + (voices / SPEAKERS) * FRAMES * FRAME_BYTES + distances
}
