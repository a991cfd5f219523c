// What every recording becomes before an engine hears it, and what is too much. Pure.

/** Hz, mono, 16 bit. */
export const RECORDING_RATE = 16_000
const BYTES_PER_SECOND = RECORDING_RATE * 2
/** What fits into one input of a task: 34 minutes and a half. */
export const LONGEST_SECONDS = Math.floor((64 * 1024 * 1024 - 44) / BYTES_PER_SECOND)
export const LONGEST_BYTES = LONGEST_SECONDS * BYTES_PER_SECOND
export const MOST_CHANNELS = 8
export const HIGHEST_RATE = 384_000
export const LOWEST_RATE = 1_000

export const secondsOf = (pcmBytes: number): number => pcmBytes / BYTES_PER_SECOND
export const tooLong = (): string => `the recording is longer than ${Math.floor(LONGEST_SECONDS / 60)} minutes; send it in parts`

/** Why sound of this kind is refused, or null. */
export function objectionTo(sound: { readonly channels: number; readonly sampleRate: number; readonly seconds: number }): string | null {
  const { channels, sampleRate, seconds } = sound
  if (channels > MOST_CHANNELS) return `the recording has ${channels} channels; at most ${MOST_CHANNELS} are read`
  if (sampleRate > HIGHEST_RATE || sampleRate < LOWEST_RATE)
    return `the recording has ${sampleRate} Hz; between ${LOWEST_RATE} and ${HIGHEST_RATE} are read`
  if (seconds > LONGEST_SECONDS) return tooLong()
  if (seconds <= 0) return 'there is no sound in the recording'
  return null
}
