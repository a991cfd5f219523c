// The format of a recording for engines, and its limits. Pure.

/** Hz, mono, 16 bit. */
export const INTAKE_RATE = 16_000
const BYTES_PER_SECOND = INTAKE_RATE * 2
/** The longest recording that fits into one input of a task: 34.5 minutes. */
export const LONGEST_SECONDS = Math.floor((64 * 1024 * 1024 - 44) / BYTES_PER_SECOND)
export const LONGEST_BYTES = LONGEST_SECONDS * BYTES_PER_SECOND
/** The target format of a conversion, and its limits. */
export type RecordingFormat = {
  readonly sampleRate: number
  readonly longestSeconds: number
  readonly shortestSeconds: number
  readonly mostChannels: number
  readonly highestRate: number
}
export const FOR_RECOGNITION: RecordingFormat = {
  sampleRate: INTAKE_RATE,
  longestSeconds: LONGEST_SECONDS,
  shortestSeconds: 0,
  mostChannels: 8,
  highestRate: 384_000,
}
/** Format of a recording that is processed in parts: each part fits into an input, and the whole is never in memory. */
export const IN_PARTS: RecordingFormat = { ...FOR_RECOGNITION, longestSeconds: 10 * 3600 }
/** A reference voice, at the rate of most speech engines. Engines read it again in every step, so it is limited. */
export const REFERENCE: RecordingFormat = {
  sampleRate: 24_000,
  longestSeconds: 60,
  shortestSeconds: 0.5,
  // More than two channels are a mix and not one voice.
  mostChannels: 2,
  highestRate: 192_000,
}

export const LOWEST_RATE = 1_000

export const tooLong = ({ longestSeconds }: RecordingFormat = FOR_RECOGNITION): string =>
  longestSeconds < 120
    ? `the recording is longer than ${longestSeconds} seconds; 3 to 10 seconds are best`
    : `the recording is longer than ${longestSeconds < 7200 ? `${Math.floor(longestSeconds / 60)} minutes` : `${longestSeconds / 3600} hours`}; send it in parts`
export const tooShort = ({ shortestSeconds }: RecordingFormat): string => `the recording is shorter than ${shortestSeconds} seconds`

/** Reason to refuse audio of this kind, or null. */
export function objectionTo(
  sound: { readonly channels: number; readonly sampleRate: number; readonly seconds: number },
  wanted: RecordingFormat = FOR_RECOGNITION,
): string | null {
  const { channels, sampleRate, seconds } = sound
  const { mostChannels, highestRate } = wanted
  if (channels > mostChannels) return `the recording has ${channels} channels; at most ${mostChannels} are read`
  if (sampleRate > highestRate || sampleRate < LOWEST_RATE)
    return `the recording has ${sampleRate} Hz; between ${LOWEST_RATE} and ${highestRate} are read`
  if (seconds > wanted.longestSeconds) return tooLong(wanted)
  if (seconds <= 0) return 'there is no sound in the file'
  return null
}
