// True peaks: the highest level between samples, by oversampling four times, as ITU-R BS.1770 annex 2 requires.
import { kaiser, sinc } from '../kaiser.ts'
import { peakKernel } from './peak-kernel.ts'

const TAPS = 24
const BETA = 7
/** Samples that must follow before the peak after a sample is known. */
export const PEAK_DELAY = TAPS / 2
/** Samples at once. */
const BLOCK = 8_192
const PAGE = 65_536
/** Samples that the kernel reads and writes beyond the end of a block. */
const BEYOND = 4

/** A tap of the filter for a part of the way to the next sample. The one for three quarters is the mirror of the one for a quarter. */
function tapOf(part: number, tap: number): number {
  const distance = tap - (PEAK_DELAY - 1) - part
  return sinc(distance) * kaiser(distance / PEAK_DELAY, BETA)
}

type Scanner = ReturnType<typeof createScanner>
/** One for a thread: a scan leaves nothing there. */
let scanner: Scanner | null = null

function createScanner() {
  const table = Array.from({ length: TAPS / 2 }, (_, tap) => {
    const [one, other] = [tapOf(0.25, tap), tapOf(0.25, TAPS - 1 - tap)]
    return [tapOf(0.5, tap), (one + other) / 2, (one - other) / 2]
  }).flat()
  const inputAt = 4 * table.length
  const inputLength = TAPS - 1 + BLOCK + BEYOND
  const outAt = inputAt + 4 * inputLength
  const memory = new WebAssembly.Memory({ initial: Math.ceil((outAt + 4 * (BLOCK + BEYOND)) / PAGE) })
  new Float32Array(memory.buffer).set(table)
  const run = peakKernel(memory)
  return {
    input: new Float32Array(memory.buffer, inputAt, inputLength),
    output: new Float32Array(memory.buffer, outAt, BLOCK + BEYOND),
    run: (count: number) => run(0, inputAt, outAt, outAt + 4 * count),
  }
}

/** Returns for each sample the peak from it to the next one, `PEAK_DELAY` samples late. */
export function createPeakScan() {
  scanner ??= createScanner()
  const { input, output, run } = scanner
  const carry = new Float32Array(TAPS - 1)
  return (samples: Float32Array): Float32Array => {
    const out = new Float32Array(samples.length)
    for (let from = 0; from < samples.length; from += BLOCK) {
      const block = samples.subarray(from, from + BLOCK)
      input.set(carry)
      input.set(block, carry.length)
      run(block.length)
      out.set(output.subarray(0, block.length), from)
      carry.set(input.subarray(block.length, block.length + carry.length))
    }
    return out
  }
}

/** The highest true peak of mono audio, as a factor of full scale. */
export function createTruePeakMeter() {
  let peak = 0
  const scan = createPeakScan()
  const push = (samples: Float32Array): void => {
    const sizes = scan(samples)
    // A loop over indices takes a third of the time of `for … of`.
    for (let at = 0; at < sizes.length; at++) if (sizes[at]! > peak) peak = sizes[at]!
  }
  return {
    push,
    /** Ends the measurement. */
    finish(): number {
      push(new Float32Array(PEAK_DELAY))
      return peak
    },
  }
}
