// The two families of translation models: how each writes languages and which tokens frame the input. Pure.

import { isTraditional, languageOf } from '#agent/engine/translate/languages.ts'
import { OPUS_PAIRS } from '#shared/models/translation-models.ts'

/** The codes of M2M-100, from the tokenizer of facebook/m2m100_418M. */
const M2M100_CODES: ReadonlySet<string> = new Set(
  (
    'af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi hr ht hu hy id ig ilo is it ja ' +
    'jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th ' +
    'tl tn tr uk ur uz vi wo xh yi yo zh zu'
  ).split(' '),
)
/** ISO 639 codes that M2M-100 writes differently. */
const M2M100_NAMES: Readonly<Record<string, string>> = { fil: 'tl', nb: 'no', nso: 'ns' }

/** Languages that requests can name: the codes of the model and the ISO codes that it writes differently. */
export const M2M100_LANGUAGES: readonly string[] = [...M2M100_CODES, ...Object.keys(M2M100_NAMES)].sort()

export type Framing = {
  /** The token before the text; null for none. */
  readonly first: string | null
  /** The token that starts the translation; null for the model's own choice. */
  readonly start: string | null
}

/** The code of a tag for M2M-100; null for a language that the model does not have. */
export function m2mCode(tag: string): string | null {
  const language = languageOf(tag)
  const code = M2M100_NAMES[language] ?? language
  return M2M100_CODES.has(code) ? code : null
}

export const m2mFraming = (source: string, target: string): Framing => ({ first: `__${source}__`, start: `__${target}__` })

/** The models of one pair need no token, except the one that writes several kinds of Chinese. */
export const opusFraming = (pair: string, target: string): Framing => ({
  first: pair === 'en-zh' ? (isTraditional(target) ? '>>cmn_Hant<<' : '>>cmn_Hans<<') : null,
  start: null,
})

export const opusPairs = (isDownloaded: (pair: string) => boolean): string[] => OPUS_PAIRS.filter(isDownloaded)
