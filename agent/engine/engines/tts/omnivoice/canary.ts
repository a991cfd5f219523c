// Tells a backbone that reads in both directions from one that was exported as an ordinary language model. The second loads, runs, passes
// every check of names and types, and speaks noise: its first frame cannot see the last.

import { Failure } from '#shared/protocol/failure.ts'
import type { Backbone } from './backbone.ts'
import { type Encode, toOmniVoicePrompt } from './prompt.ts'
import { CLASSES, CODEBOOKS, MASK } from './scoring.ts'

/** Repositories whose backbone is known to be exported wrongly, and why. Their codec may be used. */
const BROKEN: Readonly<Record<string, string>> = {
  'onnx-community/OmniVoice-Onnx': 'its backbone was exported with causal attention',
  'Prince-1/OmniVoice-Onnx': 'its backbone is a copy of one exported with causal attention',
}

/** `repo` is where the backbone came from; null when nobody knows. */
export function refuseBrokenExport(repo: string | null): void {
  const known = Object.entries(BROKEN).find(([name]) => name.toLowerCase() === repo?.toLowerCase())
  if (!known) return
  throw new Failure(
    'MODEL_NOT_DOWNLOADED',
    `the backbone of ${known[0]} is the wrong export: ${known[1]}; download another export of OmniVoice`,
  )
}

const FRAMES = 4

/** MODEL_NOT_DOWNLOADED when a change of the last frame leaves the first as it was, NON_FINITE_OUTPUT when nothing is computed at all. */
export async function refuseCausalBackbone(backbone: Backbone, encode: Encode): Promise<void> {
  const wanted = { text: 'Hello.', frames: FRAMES, language: null, instruct: null, denoise: false, reference: null }
  const predict = backbone.begin(toOmniVoicePrompt(wanted, encode), false)
  const first = async (last: number): Promise<Float32Array[]> => {
    const codes = new Int32Array(CODEBOOKS * FRAMES).fill(MASK)
    for (let book = 0; book < CODEBOOKS; book++) codes[book * FRAMES + FRAMES - 1] = last
    const { values, start, stride } = (await predict(codes)).conditional
    return Array.from({ length: CODEBOOKS }, (_, book) => values.slice(start + book * stride, start + book * stride + CLASSES))
  }
  const [one, other] = [await first(7), await first(900)]
  if (![...one, ...other].every((logits) => logits.every(Number.isFinite))) {
    throw new Failure('NON_FINITE_OUTPUT', 'the backbone computes values that are not numbers on this device; use another precision of it')
  }
  const isMoved = one.some((logits, book) => logits.some((logit, id) => Math.abs(logit - other[book]![id]!) > 1e-6 * (1 + Math.abs(logit))))
  if (isMoved) return
  const message = 'this export of the backbone does not see what follows (causal attention): it is the wrong export of OmniVoice'
  throw new Failure('MODEL_NOT_DOWNLOADED', message)
}
