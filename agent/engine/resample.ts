// Another sample rate, by the Speex resampler. The length is exact: seconds in are seconds out, and nothing is shifted.
import { setImmediate as turn } from 'node:timers/promises'
import { Failure } from '#shared/protocol/failure.ts'

const BLOCK = 16_384
/** Of 10: the sound of 8 and above differs by less than 16 bits can show. */
const QUALITY = 8
/** Input that the filter may still hold when the last sample was given; more than any ratio of its quality needs. */
const TAIL = 4_096

/** A resampler that is fed piece by piece. */
export type Resampling = {
  /** What can be told after these samples; a piece of any size. */
  readonly push: (samples: Float32Array) => Float32Array
  /** What is still missing of the length. */
  readonly end: () => Float32Array
  readonly close: () => void
}

/** Mono; gives exactly `length` samples in all. */
export async function openResampling(from: number, to: number, length: number): Promise<Resampling> {
  const { default: load } = await import('@echogarden/speex-resampler-wasm')
  const speex = await load()
  const room = Math.ceil((BLOCK * to) / from) + 64
  const input = speex._malloc(BLOCK * 4)
  const output = speex._malloc(room * 4)
  const counts = speex._malloc(12)
  const free = () => {
    for (const pointer of [input, output, counts]) speex._free(pointer)
  }
  const state = speex._speex_resampler_init(1, from, to, QUALITY, counts + 8)
  if (state === 0) {
    free()
    throw new Failure('WORKER_FAILED', `no resampler from ${from} Hz to ${to} Hz`)
  }
  // The filter begins half its length late; without this the sound would come that much later.
  speex._speex_resampler_skip_zeros(state)
  let made = 0

  function push(samples: Float32Array): Float32Array {
    const out = new Float32Array(Math.min(length - made, Math.ceil(((samples.length + TAIL) * to) / from) + 64))
    let filled = 0
    for (let at = 0; at < samples.length && made < length; ) {
      const piece = samples.subarray(at, at + BLOCK)
      // The memory may have grown, so its view is asked for each time.
      speex.HEAPF32.set(piece, input >> 2)
      speex.HEAP32[counts >> 2] = piece.length
      speex.HEAP32[(counts >> 2) + 1] = room
      if (speex._speex_resampler_process_float(state, 0, input, counts, output, counts + 4) !== 0) {
        throw new Failure('WORKER_FAILED', `the resampler from ${from} Hz to ${to} Hz failed`)
      }
      const taken = speex.HEAP32[counts >> 2]!
      const written = Math.min(speex.HEAP32[(counts >> 2) + 1]!, length - made)
      out.set(speex.HEAPF32.subarray(output >> 2, (output >> 2) + written), filled)
      filled += written
      made += written
      at += taken
      if (taken === 0 && written === 0) break
    }
    return out.subarray(0, filled)
  }
  return {
    push,
    end: () => push(new Float32Array(TAIL)),
    close() {
      speex._speex_resampler_destroy(state)
      free()
    },
  }
}

/** Mono. Between blocks the event loop gets a turn and `signal` is looked at. */
export async function resample(samples: Float32Array, from: number, to: number, signal: AbortSignal): Promise<Float32Array> {
  if (from === to || samples.length === 0) return samples
  const out = new Float32Array(Math.round((samples.length * to) / from))
  const resampling = await openResampling(from, to, out.length)
  try {
    let made = 0
    const keep = (piece: Float32Array) => {
      out.set(piece, made)
      made += piece.length
    }
    for (let at = 0; at < samples.length; at += BLOCK) {
      keep(resampling.push(samples.subarray(at, at + BLOCK)))
      await turn()
      signal.throwIfAborted()
    }
    keep(resampling.end())
    return out
  } finally {
    resampling.close()
  }
}
