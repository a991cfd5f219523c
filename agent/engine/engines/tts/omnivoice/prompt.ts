// What the backbone is shown: one column per position, eight rows of ids. Text stands in every row alike; codes of the reference and the
// cells to fill have a row per codebook. Pure; the tokenizer is an argument.

import { cleanText, splitTags, withEnding } from './clean.ts'
import { CODEBOOKS, MASK } from './scoring.ts'

export type Encode = (text: string) => readonly number[]

export type PromptReference = {
  /** By codebook * frames + frame. */
  readonly codes: Int32Array
  readonly frames: number
  /** What is said in it; '' when nobody knows. */
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

/** What people type must not become a control token. */
const harmless = (text: string): string => text.replace(/<\|[a-z_]*\|>/gi, ' ')

export function textIds({ text, language, instruct, denoise, reference }: PromptRequest, encode: Encode): number[] {
  const style =
    `${denoise && reference ? '<|denoise|>' : ''}<|lang_start|>${harmless(language || 'None')}<|lang_end|>` +
    `<|instruct_start|>${harmless(instruct || 'None')}<|instruct_end|>`
  const said = cleanText(harmless(reference?.text ? `${withEnding(reference.text)} ${text}` : text))
  return [...encode(style), ...splitTags(`<|text_start|>${said}<|text_end|>`).flatMap((piece) => [...encode(piece)])]
}

export function toOmniVoicePrompt(wanted: PromptRequest, encode: Encode): Prompt {
  const { reference, frames } = wanted
  const text = textIds(wanted, encode)
  const shown = reference?.frames ?? 0
  const length = text.length + shown + frames
  const ids = new Int32Array(CODEBOOKS * length).fill(MASK)
  for (let row = 0; row < CODEBOOKS; row++) {
    ids.set(text, row * length)
    if (reference) ids.set(reference.codes.subarray(row * shown, (row + 1) * shown), row * length + text.length)
  }
  return { ids, length, audioFrom: text.length, frames }
}
