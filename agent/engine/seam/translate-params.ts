// What a translation may ask for, and its limits; the same for every engine that translates.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'

const Language = z.string().regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/, 'a language tag such as "en"')
const MOST_CHARACTERS = 1_000_000

export const TranslateParams = z
  .strictObject({ texts: z.array(z.string().max(20_000)).min(1).max(5_000), source: Language, target: Language })
  .refine(({ texts }) => texts.reduce((sum, text) => sum + text.length, 0) <= MOST_CHARACTERS, {
    path: ['texts'],
    error: `more than ${MOST_CHARACTERS} characters together`,
  })
export type TranslateParams = z.output<typeof TranslateParams>
/** As many texts as were given, in their order. */
export type TranslateResult = { readonly texts: readonly string[] }

export const noPair = (engine: string, source: string, target: string, offered: readonly string[]): Failure =>
  new Failure(
    'INVALID_TASK_PARAMS',
    `source, target: ${engine} does not translate from ${source} to ${target} here; it has ${offered.join(', ') || 'no pair at all'}`,
  )
