// Builds the prompt of MOSS-TTS-Nano: rows of one text id and one code per codebook. Text rows have the padding code in every codebook,
// voice rows have a slot id as text. Pure.

import { ints, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import type { AudioCodes, MossPlan } from './manifest.ts'

type Ids = Pick<
  MossPlan,
  'books' | 'padId' | 'audioStartId' | 'audioEndId' | 'userSlotId' | 'assistantSlotId' | 'prefixIds' | 'afterReferenceIds' | 'assistantIds'
>

/** [1, rows, 1 + books]. */
export function toMossPrompt(plan: Ids, voice: AudioCodes, textIds: readonly number[]): Tensor {
  const { prefixIds, audioStartId, audioEndId, afterReferenceIds, assistantIds, userSlotId } = plan
  const before = [...prefixIds, audioStartId]
  const after = [audioEndId, ...afterReferenceIds, ...textIds, ...assistantIds, audioStartId]
  const width = plan.books + 1
  const rows = before.length + voice.length + after.length
  const values = new Int32Array(rows * width).fill(plan.padId)
  for (const [at, textId] of before.entries()) values[at * width] = textId
  for (const [at, codes] of voice.entries()) {
    const from = (before.length + at) * width
    values[from] = userSlotId
    values.set(codes, from + 1)
  }
  for (const [at, textId] of after.entries()) values[(before.length + voice.length + at) * width] = textId
  return { type: 'int32', dims: [1, rows, width], values }
}

/** The row that feeds the last frame back to the model. */
export function toPromptRow(
  { padId, assistantSlotId }: Pick<Ids, 'padId' | 'assistantSlotId'>,
  codes: ArrayLike<number>,
  books: number,
): Tensor {
  const values = new Int32Array(books + 1).fill(padId)
  values[0] = assistantSlotId
  values.set(Array.from(codes), 1)
  return ints(values, [1, 1, books + 1])
}
