// Streaming sample rate conversion. Keeps the duration and adds no delay. The Speex resampler has filters for pairs of rates with few phases, such
// as 24 and 48 kHz. It interpolates them for others, which takes five times as long, so those have filters of their own where a table holds them.
import { exactLength, type Resampler } from './resampling/exact-length.ts'
import { isPolyphase, openPolyphase } from './resampling/polyphase.ts'
import { createShared } from './shared-instance.ts'

const BLOCK = 16_384
/** Quality of 0 to 10: from 8 on, differences are below 16-bit resolution. */
const QUALITY = 8
/** More silence than the filter of any pair of rates holds. */
const TAIL = 4_096

/** The resamplers of a thread share one instance, because each takes 4 ms to make and 16 MiB, for which V8 collects the whole heap. */
const speexOfThread = createShared(async () => (await import('@echogarden/speex-resampler-wasm/simd')).default())

/** Mono. Close it, also after an error: its memory is not garbage. */
export async function openResampler(from: number, to: number): Promise<Resampler> {
  const same = { push: (samples: Float32Array) => samples, flush: () => new Float32Array(0), close: () => {} }
  if (from === to) return same
  if (isPolyphase(from, to)) return openPolyphase(from, to)
  const speex = await speexOfThread()
  const room = Math.ceil((BLOCK * to) / from) + 64
  const input = speex._malloc(BLOCK * 4)
  const output = speex._malloc(room * 4)
  const counts = speex._malloc(12)
  const free = () => {
    for (const pointer of [input, output, counts]) speex._free(pointer)
  }
  const state = speex._speex_resampler_init(1, from, to, QUALITY, counts + 8)
  let isClosed = false
  if (state === 0) {
    free()
    throw new RangeError(`sound of ${from} Hz cannot be brought to ${to} Hz`)
  }
  // Skips the filter's delay of half its length.
  speex._speex_resampler_skip_zeros(state)

  function push(samples: Float32Array): Float32Array {
    if (isClosed) throw new Error('this resampler is closed')
    const out = new Float32Array(Math.ceil((samples.length * to) / from) + room)
    let written = 0
    for (let at = 0; at < samples.length; ) {
      const block = samples.subarray(at, at + BLOCK)
      // The memory may have grown, so the view is read each time.
      speex.HEAPF32.set(block, input >> 2)
      speex.HEAP32[counts >> 2] = block.length
      speex.HEAP32[(counts >> 2) + 1] = room
      if (speex._speex_resampler_process_float(state, 0, input, counts, output, counts + 4) !== 0)
        throw new RangeError(`sound of ${from} Hz cannot be brought to ${to} Hz`)
      const taken = speex.HEAP32[counts >> 2]!
      const count = speex.HEAP32[(counts >> 2) + 1]!
      out.set(speex.HEAPF32.subarray(output >> 2, (output >> 2) + count), written)
      written += count
      at += taken
      if (taken === 0 && count === 0) break
    }
    return out.subarray(0, written)
  }
  function close(): void {
    if (isClosed) return
    isClosed = true
    speex._speex_resampler_destroy(state)
    free()
  }
  return exactLength({ from, to, convert: push, tail: TAIL, close })
}
