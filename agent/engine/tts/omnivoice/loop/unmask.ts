// The loop that fills an empty code matrix: each step computes logits and keeps the most confident cells. The model is an argument.

import { Failure } from '#shared/protocol/failure.ts'
import { bestCells, classDraw } from './choice.ts'
import { fillCounts } from './schedule.ts'
import { CODEBOOKS, createScores, type LogitRow, MASK, scoreFused } from './scoring.ts'

export type LoopSettings = {
  readonly steps: number
  readonly guidance: number
  readonly shift: number
  readonly layerPenalty: number
  readonly positionTemperature: number
  readonly classTemperature: number
}
export const DEFAULT_LOOP_SETTINGS: LoopSettings = {
  steps: 16,
  guidance: 2,
  shift: 0.1,
  layerPenalty: 5,
  positionTemperature: 5,
  classTemperature: 0,
}

/** Logits of the target frames for the codes so far. `unconditional` is null without guidance. */
export type Predict = (codes: Int32Array) => Promise<{ conditional: LogitRow; unconditional: LogitRow | null }>

export type UnmaskLoop = {
  readonly frames: number
  readonly settings: LoopSettings
  readonly predict: Predict
  /** Random numbers in [0, 1). */
  readonly next: () => number
  /** Awaited before each step. Yields to the event loop and throws when the run was cancelled. */
  readonly yieldToLoop: () => Promise<void>
}

/** Yields the share of filled cells after each step. Returns codes by codebook * frames + frame. Throws NON_FINITE_OUTPUT. */
export async function* unmask({ frames, settings, predict, next, yieldToLoop }: UnmaskLoop): AsyncGenerator<number, Int32Array> {
  const cells = CODEBOOKS * frames
  const codes = new Int32Array(cells).fill(MASK)
  const filled = new Uint8Array(cells)
  const scores = createScores(frames)
  const choose = settings.classTemperature > 0 ? classDraw(settings.classTemperature, next) : null
  let done = 0
  for (const count of fillCounts(cells, settings.steps, settings.shift)) {
    // With few cells and many steps, some steps fill nothing.
    if (count === 0) continue
    await yieldToLoop()
    const { conditional, unconditional } = await predict(codes)
    scoreFused({ conditional, unconditional, guidance: settings.guidance, frames, filled, choose }, scores)
    refuseNonFinite(scores.confidences, filled)
    const { layerPenalty, positionTemperature: temperature } = settings
    for (const cell of bestCells(scores, { count, filled, layerPenalty, temperature, next })) {
      codes[cell] = scores.tokens[cell]!
      filled[cell] = 1
    }
    done += count
    yield done / cells
  }
  return codes
}

function refuseNonFinite(confidences: Float64Array, filled: Uint8Array): void {
  for (let cell = 0; cell < filled.length; cell++) {
    if (filled[cell] === 1 || Number.isFinite(confidences[cell]!)) continue
    throw new Failure('NON_FINITE_OUTPUT', 'The model returned values that are not finite. Use another precision of it.')
  }
}
