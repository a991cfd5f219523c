// Runs RNNoise over a whole recording at 48 kHz, frame by frame, and compensates its delay.
import type Rnnoise from '@echogarden/rnnoise-wasm'

export const RNNOISE_SAMPLE_RATE = 48_000
/** RNNoise expects samples in the range of 16-bit integers. */
const SCALE = 32_768

/** Frames in order, together as long as `samples`. Blocks the thread for about a hundredth of the duration of each frame. */
export function* denoisedFrames(rnnoise: Awaited<ReturnType<typeof Rnnoise>>, samples: Float32Array): Generator<Float32Array> {
  const size = rnnoise._rnnoise_get_frame_size()
  const state = rnnoise._rnnoise_create(0)
  const buffer = rnnoise._malloc(size * 4)
  try {
    // Frames overlap by half a window: the output lags by one frame, so the first is empty and one more is needed at the end.
    for (let at = 0; at < samples.length + size; at += size) {
      const frame = rnnoise.HEAPF32.subarray(buffer >> 2, (buffer >> 2) + size)
      for (let i = 0; i < size; i++) frame[i] = (samples[at + i] ?? 0) * SCALE
      rnnoise._rnnoise_process_frame(state, buffer, buffer)
      if (at === 0) continue
      const clean = rnnoise.HEAPF32.subarray(buffer >> 2, (buffer >> 2) + Math.min(size, samples.length - at + size))
      yield clean.map((sample) => Math.max(-1, Math.min(1, sample / SCALE)))
    }
  } finally {
    rnnoise._free(buffer)
    rnnoise._rnnoise_destroy(state)
  }
}
