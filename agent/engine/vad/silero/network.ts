// The Silero network: the probability of speech per window of 32 ms. The graph carries a state from window to window. Its weights lie
// in assets/.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { floatOutput, floats, type GraphContract, type GraphFactory, longs } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** SHA-256 of the weights. */
export const SILERO_DIGEST = '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3'
export const SILERO_SAMPLE_RATE = 16_000
/** A window of new samples, preceded by the end of the previous one. */
export const SILERO_WINDOW = 512
export const SILERO_CONTEXT = 64
const STATE = [2, 1, 128] as const
/** Windows between two yields to the event loop: about 100 ms of work on a slow core. */
const WINDOWS_PER_STEP = 200

export const SILERO_CONTRACT: GraphContract = {
  inputs: [
    { name: 'input', type: 'float32', rank: 2 },
    { name: 'state', type: 'float32', rank: 3, dims: [2, null, 128] },
    { name: 'sr', type: 'int64', rank: 0 },
  ],
  outputs: [
    { name: 'output', type: 'float32', rank: 2 },
    { name: 'stateN', type: 'float32', rank: 3 },
  ],
}

export const SILERO_FILE = 'silero_vad_v6.onnx'
/** Null if this program is incomplete. */
export function sileroFile(): string | null {
  const file = fileURLToPath(new URL(`./assets/${SILERO_FILE}`, import.meta.url))
  return existsSync(file) ? file : null
}

export type VoiceDetector = {
  /** Probabilities of the windows of `samples` at SILERO_SAMPLE_RATE. Yields the share that is finished. Throws NON_FINITE_OUTPUT, and on abort. */
  readonly probabilities: (samples: Float32Array, signal: AbortSignal) => AsyncGenerator<number, Float32Array>
  readonly close: () => Promise<void>
}

/** Throws MODEL_NOT_INSTALLED. */
export async function openVoiceDetector(open: GraphFactory): Promise<VoiceDetector> {
  const file = sileroFile()
  if (!file) throw new Failure('MODEL_NOT_INSTALLED', 'The voice detector is missing. Install this program again.')
  const graph = await open(file, { device: 'cpu', threads: 1, contract: SILERO_CONTRACT })
  return {
    async *probabilities(samples, signal) {
      const probabilities = new Float32Array(Math.ceil(samples.length / SILERO_WINDOW))
      let state = floats(new Float32Array(2 * 128), STATE)
      const rate = longs([SILERO_SAMPLE_RATE], [])
      for (let at = 0; at < probabilities.length; at++) {
        const window = new Float32Array(SILERO_CONTEXT + SILERO_WINDOW)
        const from = at * SILERO_WINDOW - SILERO_CONTEXT
        window.set(samples.subarray(Math.max(0, from), at * SILERO_WINDOW + SILERO_WINDOW), Math.max(0, -from))
        const outputs = await graph.run({ input: floats(window, [1, SILERO_CONTEXT + SILERO_WINDOW]), state, sr: rate })
        const probability = floatOutput(outputs, 'output')[0]!
        if (!Number.isFinite(probability))
          throw new Failure('NON_FINITE_OUTPUT', 'The voice detector returned a value that is not a number.')
        probabilities[at] = probability
        state = outputs['stateN']!
        if (at % WINDOWS_PER_STEP === WINDOWS_PER_STEP - 1) {
          yield (at + 1) / probabilities.length
          await nextTurn()
          signal.throwIfAborted()
        }
      }
      return probabilities
    },
    close: graph.close,
  }
}
