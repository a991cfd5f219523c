// What every recording becomes before an engine hears it, and what is too much. Pure.

/** Hz, mono, 16 bit. */
export const RECORDING_RATE = 16_000
const BYTES_PER_SECOND = RECORDING_RATE * 2
/** What fits into one input of a task: 34 minutes and a half. */
export const LONGEST_SECONDS = Math.floor((64 * 1024 * 1024 - 44) / BYTES_PER_SECOND)
export const LONGEST_BYTES = LONGEST_SECONDS * BYTES_PER_SECOND
/** What a recording is wanted as. */
export type Wanted = {
  readonly sampleRate: number
  readonly longestSeconds: number
  readonly shortestSeconds: number
  readonly mostChannels: number
  readonly highestRate: number
}
export const FOR_HEARING: Wanted = {
  sampleRate: RECORDING_RATE,
  longestSeconds: LONGEST_SECONDS,
  shortestSeconds: 0,
  mostChannels: 8,
  highestRate: 384_000,
}
/** What is heard in parts: each of them fits into an input, and none of it is in memory whole. */
export const IN_PARTS: Wanted = { ...FOR_HEARING, longestSeconds: 10 * 3600 }
/** A voice to follow: at the rate of most engines that speak; what is longer would be read again in every step of the engine. */
export const REFERENCE: Wanted = {
  sampleRate: 24_000,
  longestSeconds: 60,
  shortestSeconds: 0.5,
  // More tracks than two are a mix of several sounds and not one voice.
  mostChannels: 2,
  highestRate: 192_000,
}

export const LOWEST_RATE = 1_000

export const tooLong = ({ longestSeconds }: Wanted = FOR_HEARING): string =>
  longestSeconds < 120
    ? `the recording is longer than ${longestSeconds} seconds; 3 to 10 seconds are best`
    : `the recording is longer than ${longestSeconds < 7200 ? `${Math.floor(longestSeconds / 60)} minutes` : `${longestSeconds / 3600} hours`}; send it in parts`
export const tooShort = ({ shortestSeconds }: Wanted): string => `the recording is shorter than ${shortestSeconds} seconds`

/** Why sound of this kind is refused, or null. */
export function objectionTo(
  sound: { readonly channels: number; readonly sampleRate: number; readonly seconds: number },
  wanted: Wanted = FOR_HEARING,
): string | null {
  const { channels, sampleRate, seconds } = sound
  const { mostChannels, highestRate } = wanted
  if (channels > mostChannels) return `the recording has ${channels} channels; at most ${mostChannels} are read`
  if (sampleRate > highestRate || sampleRate < LOWEST_RATE)
    return `the recording has ${sampleRate} Hz; between ${LOWEST_RATE} and ${highestRate} are read`
  if (seconds > wanted.longestSeconds) return tooLong(wanted)
  if (seconds <= 0) return 'there is no sound in the recording'
  return null
}
