// Another sample rate, by the Speex resampler. The length is exact: seconds in are seconds out, and nothing is shifted.
import { setImmediate as turn } from 'node:timers/promises'
import { Failure } from '#shared/protocol/failure.ts'

const BLOCK = 16_384
/** Of 10: the sound of 8 and above differs by less than 16 bits can show. */
const QUALITY = 8
/** Input that the filter may still hold when the last sample was given; more than any ratio of its quality needs. */
const TAIL = 4_096

/** Mono. Between blocks the event loop gets a turn and `signal` is looked at. */
export async function resample(samples: Float32Array, from: number, to: number, signal: AbortSignal): Promise<Float32Array> {
  if (from === to || samples.length === 0) return samples
  const { default: load } = await import('@echogarden/speex-resampler-wasm')
  const speex = await load()
  const length = Math.round((samples.length * to) / from)
  const room = Math.ceil((BLOCK * to) / from) + 64
  const input = speex._malloc(BLOCK * 4)
  const output = speex._malloc(room * 4)
  const counts = speex._malloc(12)
  const state = speex._speex_resampler_init(1, from, to, QUALITY, counts + 8)
  if (state === 0) throw new Failure('WORKER_FAILED', `no resampler from ${from} Hz to ${to} Hz`)
  try {
    // The filter begins half its length late; without this the sound would come that much later.
    speex._speex_resampler_skip_zeros(state)
    const out = new Float32Array(length)
    let made = 0
    for (let at = 0; at < samples.length + TAIL && made < length; ) {
      const given = Math.min(BLOCK, samples.length + TAIL - at)
      // The memory may have grown, so its view is asked for each time.
      const heap = speex.HEAPF32
      heap.fill(0, input >> 2, (input >> 2) + given)
      heap.set(samples.subarray(at, at + given), input >> 2)
      speex.HEAP32[counts >> 2] = given
      speex.HEAP32[(counts >> 2) + 1] = room
      if (speex._speex_resampler_process_float(state, 0, input, counts, output, counts + 4) !== 0) {
        throw new Failure('WORKER_FAILED', `the resampler from ${from} Hz to ${to} Hz failed`)
      }
      const taken = speex.HEAP32[counts >> 2]!
      const written = Math.min(speex.HEAP32[(counts >> 2) + 1]!, length - made)
      out.set(speex.HEAPF32.subarray(output >> 2, (output >> 2) + written), made)
      made += written
      at += taken
      if (taken === 0 && written === 0) break
      await turn()
      signal.throwIfAborted()
    }
    return out
  } finally {
    speex._speex_resampler_destroy(state)
    for (const pointer of [input, output, counts]) speex._free(pointer)
  }
}
