// Sample rate conversion with one filter for each phase, for pairs of rates such as 22.05 and 48 kHz.
import { exactLength, type Resampler } from './exact-length.ts'
import { filterTable, type PolyphaseFilter, polyphaseFilter } from './filter.ts'
import { polyphaseKernel } from './kernel.ts'

/** Speex has filters for up to this many phases at the quality that is used. */
const MIN_PHASES = 17
/** Samples of the input at once. */
const BLOCK = 16_384
const PAGE = 65_536
/** A table of one megabyte: all pairs of usual rates. */
const MAX_TABLE = 2 ** 18
/** Pairs of rates whose filters are kept, because computing them takes as long as half a second of sound. */
const MAX_KEPT = 4
const kept = new Map<string, PolyphaseEngine>()

type PolyphaseEngine = ReturnType<typeof createEngine>

/** True if a table of filters is the better way from one rate to another. */
export function isPolyphase(from: number, to: number): boolean {
  const { phases, taps } = polyphaseFilter(from, to)
  return phases >= MIN_PHASES && phases * taps <= MAX_TABLE
}

/** A filter and the memory in which it works. Resamplers of one thread share it: each push leaves nothing there. */
function createEngine(filter: PolyphaseFilter) {
  const { phases, steps, taps } = filter
  const table = filterTable(filter)
  const inputAt = table.byteLength
  const outAt = inputAt + 4 * (BLOCK + 2 * taps)
  const room = Math.ceil((BLOCK * phases) / steps) + phases
  const memory = new WebAssembly.Memory({ initial: Math.ceil((outAt + 4 * room) / PAGE) })
  new Float32Array(memory.buffer).set(table)
  return {
    ...filter,
    input: new Float32Array(memory.buffer, inputAt, BLOCK + 2 * taps),
    output: new Float32Array(memory.buffer, outAt, room),
    inputAt,
    outAt,
    run: polyphaseKernel(memory),
  }
}

function engineOf(from: number, to: number): PolyphaseEngine {
  const filter = polyphaseFilter(from, to)
  const name = `${filter.steps}/${filter.phases}`
  const engine = kept.get(name) ?? createEngine(filter)
  kept.delete(name)
  kept.set(name, engine)
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
  return engine
}

/** Mono. Requires `isPolyphase`. */
export function openPolyphase(from: number, to: number): Resampler {
  const { phases, steps, taps, input, output, inputAt, outAt, run } = engineOf(from, to)
  // Samples that later ones of the result depend on; at first silence before the beginning.
  let before = new Float32Array(taps / 2 - 1)
  let phase = 0

  /** The samples that `block`, of at most BLOCK, completes. */
  function pushBlock(block: Float32Array): Float32Array {
    input.set(before)
    input.set(block, before.length)
    const length = before.length + block.length
    // A sample of the result needs `taps` samples from its place on.
    const count = length < taps ? 0 : Math.floor(((length - taps) * phases + phases - 1 - phase) / steps) + 1
    if (count > 0) run(0, 4 * taps, inputAt, outAt, outAt + 4 * count, phase, phases, steps % phases, 4 * Math.floor(steps / phases))
    const place = phase + count * steps
    before = input.slice(Math.floor(place / phases), length)
    phase = place % phases
    return output.slice(0, count)
  }
  function push(samples: Float32Array): Float32Array {
    if (samples.length <= BLOCK) return pushBlock(samples)
    const out = new Float32Array(Math.ceil((samples.length * phases) / steps) + phases)
    let written = 0
    for (let at = 0; at < samples.length; at += BLOCK) {
      const piece = pushBlock(samples.subarray(at, at + BLOCK))
      out.set(piece, written)
      written += piece.length
    }
    return out.subarray(0, written)
  }
  return exactLength({ from, to, convert: push, tail: taps, close: () => {} })
}
