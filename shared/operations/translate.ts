// Text translation.
import { z } from 'zod'
import { list, Notices } from './limits.ts'
import { operation } from './operation.ts'

const Language = z.string().regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/, 'a language tag such as "en"')
const MAX_CHARACTERS = 1_000_000
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

export const TranslateParams = z
  .strictObject({ texts: list(z.string().max(20_000), 5_000, 1), source: Language, target: Language })
  .refine(({ texts }) => lengthOf(texts) <= MAX_CHARACTERS, {
    path: ['texts'],
    error: `more than ${MAX_CHARACTERS} characters together`,
  })
export type TranslateParams = z.output<typeof TranslateParams>

/** One text for each given text, in their order. */
export const TranslateResult = z.object({ texts: list(z.string().max(100_000), 5_000), notices: Notices })
export type TranslateResult = z.output<typeof TranslateResult>

export const translate = operation({
  id: 'translate',
  params: TranslateParams,
  result: TranslateResult,
  units: ({ texts }) => lengthOf(texts),
  objection: ({ texts }, params) =>
    texts.length === params.texts.length ? null : `it has ${texts.length} texts where ${params.texts.length} were requested`,
})
