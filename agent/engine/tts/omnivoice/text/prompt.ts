// Builds the input of the backbone: one column per position, eight rows of ids. Text ids are repeated in every row; reference codes and
// empty cells have one row per codebook. Pure; the tokenizer is an argument.

import { CODEBOOKS, MASK } from '../loop/scoring.ts'
import { cleanText, splitTags } from './clean.ts'

export type Encode = (text: string) => readonly number[]

export type PromptReference = {
  /** By codebook * frames + frame. */
  readonly codes: Int32Array
  readonly frames: number
  /** Transcript with its end mark; '' when unknown. */
  readonly text: string
}
export type PromptRequest = {
  readonly text: string
  readonly frames: number
  readonly language: string | null
  readonly instruct: string | null
  readonly denoise: boolean
  readonly reference: PromptReference | null
}
export type Prompt = {
  /** By row * length + column. The target's columns are the last `frames`, all MASK. */
  readonly ids: Int32Array
  readonly length: number
  /** The first column that is audio. */
  readonly audioFrom: number
  readonly frames: number
}

export const SPECIAL = [
  '<|denoise|>',
  '<|lang_start|>',
  '<|lang_end|>',
  '<|instruct_start|>',
  '<|instruct_end|>',
  '<|text_start|>',
  '<|text_end|>',
] as const

/** Removes control tokens from user text. */
const withoutControlTokens = (text: string): string => text.replace(/<\|[a-z_]*\|>/gi, ' ')

export function textIds({ text, language, instruct, denoise, reference }: PromptRequest, encode: Encode): number[] {
  const style =
    `${denoise && reference ? '<|denoise|>' : ''}<|lang_start|>${withoutControlTokens(language || 'None')}<|lang_end|>` +
    `<|instruct_start|>${withoutControlTokens(instruct || 'None')}<|instruct_end|>`
  const spokenText = cleanText(withoutControlTokens(reference?.text ? `${reference.text} ${text}` : text))
  return [...encode(style), ...splitTags(`<|text_start|>${spokenText}<|text_end|>`).flatMap((piece) => [...encode(piece)])]
}

export function toOmniVoicePrompt(request: PromptRequest, encode: Encode): Prompt {
  const { reference, frames } = request
  const text = textIds(request, encode)
  const referenceFrames = reference?.frames ?? 0
  const length = text.length + referenceFrames + frames
  const ids = new Int32Array(CODEBOOKS * length).fill(MASK)
  for (let row = 0; row < CODEBOOKS; row++) {
    ids.set(text, row * length)
    if (reference) ids.set(reference.codes.subarray(row * referenceFrames, (row + 1) * referenceFrames), row * length + text.length)
  }
  return { ids, length, audioFrom: text.length, frames }
}
