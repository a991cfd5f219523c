// Rejects a backbone that was exported with causal attention. It loads, runs and passes every check of names and types, but produces noise,
// because its first frame does not attend to the last.

import { Failure } from '#shared/protocol/failure.ts'
import { type Encode, toOmniVoicePrompt } from '../text/prompt.ts'
import type { Backbone } from './backbone.ts'
import { CLASSES, CODEBOOKS, MASK } from './scoring.ts'

/** Repositories with a wrongly exported backbone, and the reason. Their codec is correct. */
const BROKEN_EXPORTS: Readonly<Record<string, string>> = {
  'onnx-community/OmniVoice-Onnx': 'its backbone was exported with causal attention',
  'Prince-1/OmniVoice-Onnx': 'its backbone is a copy of one exported with causal attention',
}

/** `repo`: source of the backbone; null when unknown. Throws MODEL_NOT_DOWNLOADED. */
export function refuseBrokenExport(repo: string | null): void {
  const known = Object.entries(BROKEN_EXPORTS).find(([name]) => name.toLowerCase() === repo?.toLowerCase())
  if (!known) return
  throw new Failure(
    'MODEL_NOT_DOWNLOADED',
    `The backbone of ${known[0]} is the wrong export: ${known[1]}. Download another export of OmniVoice.`,
  )
}

const FRAMES = 4

/**
 * Throws MODEL_NOT_DOWNLOADED when a change of the last frame does not affect the first, NON_FINITE_OUTPUT when the output is not finite.
 */
export async function refuseCausalBackbone(backbone: Backbone, encode: Encode): Promise<void> {
  const request = { text: 'Hello.', frames: FRAMES, language: null, instruct: null, denoise: false, reference: null }
  const predict = backbone.begin(toOmniVoicePrompt(request, encode), false)
  const first = async (last: number): Promise<Float32Array[]> => {
    const codes = new Int32Array(CODEBOOKS * FRAMES).fill(MASK)
    for (let book = 0; book < CODEBOOKS; book++) codes[book * FRAMES + FRAMES - 1] = last
    const { values, start, stride } = (await predict(codes)).conditional
    return Array.from({ length: CODEBOOKS }, (_, book) => values.slice(start + book * stride, start + book * stride + CLASSES))
  }
  const [one, other] = [await first(7), await first(900)]
  if (![...one, ...other].every((logits) => logits.every(Number.isFinite))) {
    throw new Failure('NON_FINITE_OUTPUT', 'The backbone computes values that are not finite on this device. Use another precision of it.')
  }
  const hasChanged = one.some((logits, book) =>
    logits.some((logit, id) => Math.abs(logit - other[book]![id]!) > 1e-6 * (1 + Math.abs(logit))),
  )
  if (hasChanged) return
  const message = 'This export of the backbone has causal attention. Download another export of OmniVoice.'
  throw new Failure('MODEL_NOT_DOWNLOADED', message)
}
