// The public names of the speech engines, and which engine answers for another one. Pure.
import { NATIVE_ENGINE, TTS_ENGINES } from '#shared/engines.ts'
import type { Offer } from './offers.ts'

/** Answers for the native engine in the languages that a machine lacks for it. */
const OTHER_LANGUAGES = 'espeak-ng'
const ALIASES = ['tts-1', 'tts-1-hd']

/** `selected`: the engine that was chosen for speech, which the aliases mean. */
export const engineOf = (model: string, selected: string = NATIVE_ENGINE): string => (ALIASES.includes(model) ? selected : model)
export const isKnown = (engine: string): boolean => TTS_ENGINES.some(({ id }) => id === engine)
export const modelNames = (offers: readonly Offer[]): string[] => [
  ...ALIASES,
  ...TTS_ENGINES.map(({ id }) => id),
  ...new Set(offers.filter(({ engine, operation }) => operation === 'tts' && !isKnown(engine)).map(({ engine }) => engine)),
]
const codeOf = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/)[0]!
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** '' for text that is no language tag: it may come from a machine. */
const nameOf = (code: string): string => (/^[a-z]{2,3}$/.test(code) ? (names.of(code)?.toLowerCase() ?? '') : '')
/** `language` is a tag or the English name of one. */
const supportsLanguage = ({ languages }: Offer, language: string): boolean =>
  languages.some((code) => code === '*' || code === codeOf(language) || nameOf(code) === language.trim().toLowerCase())

/** Its model may still have to be downloaded; the engine then answers with a substitute, or says what is missing. */
export const canSpeak = ({ operation, supported, installed }: Offer): boolean => operation === 'tts' && supported && installed

/**
 * Who answers for the native engine in `language`: its own offers where one of them supports it or no other engine does, otherwise those of
 * espeak-ng. `others`: every offer of the same machines.
 */
export function answering(engine: string, language: unknown, offers: readonly Offer[], others: readonly Offer[]): readonly Offer[] {
  const tag = typeof language === 'string' ? language.trim() : ''
  if (engine !== NATIVE_ENGINE || tag === '' || tag.toLowerCase() === 'auto' || offers.some((offer) => supportsLanguage(offer, tag)))
    return offers
  const found = others.filter((offer) => offer.engine === OTHER_LANGUAGES && canSpeak(offer) && supportsLanguage(offer, tag))
  return found.length === 0 ? offers : found
}

/** The same offer, with the sentence that names the substitute when another engine was requested. */
export const inPlaceOf = (requested: string, offer: Offer | undefined): Offer | undefined =>
  offer && requested !== offer.engine && offer.stands_in === ''
    ? {
        ...offer,
        stands_in: `Using ${offer.engine}, because no model of ${requested} for this language is installed.`,
      }
    : offer
