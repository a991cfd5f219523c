// The languages of a batch item, and how far it is. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import { threeLetterCode } from '#shared/text/languages/language-codes.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'

export const MAX_LANGUAGES = 20
const MAX_LANGUAGE_CHARS = 32
const TAG = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/

/** The English name of a language tag such as `pt-BR`; null for a language that does not exist. */
export function batchLanguageName(tag: string): string | null {
  if (tag.length > MAX_LANGUAGE_CHARS || !TAG.test(tag) || threeLetterCode(tag) === null) return null
  return englishNameOf(tag.replaceAll('_', '-')) ?? englishNameOf(tag.split(/[-_]/)[0]!)
}

/** The tags of a list with commas, each once. Throws BAD_REQUEST for none, too many, and one that is no language. */
export function batchLanguages(list: string): string[] {
  const tags = list
    .split(',', 10 * MAX_LANGUAGES)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const known = new Set<string>()
  const once = tags.filter((tag) => {
    const isNew = !known.has(tag.toLowerCase())
    known.add(tag.toLowerCase())
    return isNew
  })
  if (once.length === 0) throw new Failure('BAD_REQUEST', 'No language is named. Send langs such as "es,fr".')
  if (once.length > MAX_LANGUAGES) throw new Failure('BAD_REQUEST', `A film gets at most ${MAX_LANGUAGES} languages at once.`)
  for (const tag of once)
    if (batchLanguageName(tag) === null)
      throw new Failure('BAD_REQUEST', `'${tag.slice(0, MAX_LANGUAGE_CHARS)}' is no language tag. Send tags such as "es" or "pt-BR".`)
  return once
}

export const BATCH_STAGES = ['extract', 'transcribe', 'translate', 'generate', 'mix'] as const
export type BatchStage = (typeof BATCH_STAGES)[number]
/** Percent at the end of each stage, about as long as they take. */
const ENDS: Readonly<Record<BatchStage, number>> = { extract: 15, transcribe: 35, translate: 45, generate: 85, mix: 100 }

/** `language`: the position among `languages`, each of which passes the stage on its own. `fraction`: 0 to 1 of that. */
export function batchPercent(stage: BatchStage, { language, languages, fraction }: Record<'language' | 'languages' | 'fraction', number>) {
  const before = BATCH_STAGES[BATCH_STAGES.indexOf(stage) - 1]
  const from = before === undefined ? 0 : ENDS[before]
  const share = Math.min(1, (language + Math.min(1, Math.max(0, fraction))) / Math.max(1, languages))
  return Math.floor(from + share * (ENDS[stage] - from))
}
