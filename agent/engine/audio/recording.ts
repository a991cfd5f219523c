// The input `audio` of recognition and alignment: mono WAV at 16 kHz, as the studio sends it.
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** Hz of every recording that an engine receives. */
export const ASR_SAMPLE_RATE = 16_000

/** The samples of the input `audio`. Throws INVALID_TASK_PARAMS. */
export function readRecording(inputs: ReadonlyMap<string, Uint8Array> | undefined): Float32Array {
  const bytes = inputs?.get('audio')
  if (!bytes) throw new Failure('INVALID_TASK_PARAMS', 'audio: The task has no recording.')
  try {
    const { sampleRate, samples } = parseWav(bytes)
    if (sampleRate === ASR_SAMPLE_RATE) return samples
    throw new RangeError(`It has ${sampleRate} Hz instead of ${ASR_SAMPLE_RATE} Hz.`)
  } catch (cause) {
    throw new Failure('INVALID_TASK_PARAMS', `audio: ${(cause as Error).message}`, { cause })
  }
}
