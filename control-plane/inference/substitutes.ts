// The public names of the speech engines, and which engine substitutes for another one. Pure.
import { NATIVE_ENGINE, TTS_ENGINES } from '#shared/engines.ts'
import { SPEECH_ALIASES } from './aliases.ts'
import type { Offer } from './offers.ts'

/** Substitutes for the native engine in languages that a machine lacks for it. */
const OTHER_LANGUAGES = 'espeak-ng'

/** `selected`: the engine that is selected for speech; the aliases refer to it. */
export const engineOf = (model: string, selected: string = NATIVE_ENGINE): string => (SPEECH_ALIASES.includes(model) ? selected : model)
export const isKnown = (engine: string): boolean => TTS_ENGINES.some(({ id }) => id === engine)
export const modelNames = (offers: readonly Offer[]): string[] => [
  ...SPEECH_ALIASES,
  ...TTS_ENGINES.map(({ id }) => id),
  ...new Set(offers.filter(({ engine, operation }) => operation === 'tts' && !isKnown(engine)).map(({ engine }) => engine)),
]
const codeOf = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/)[0]!
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** '' for invalid tags, which a machine may send. */
const nameOf = (code: string): string => (/^[a-z]{2,3}$/.test(code) ? (names.of(code)?.toLowerCase() ?? '') : '')
/** `language` is a tag or the English name of one. */
const supportsLanguage = ({ languages }: Offer, language: string): boolean =>
  languages.some((code) => code === '*' || code === codeOf(language) || nameOf(code) === language.trim().toLowerCase())

/** Includes engines whose model is not downloaded. Those answer with a substitute or fail with MODEL_NOT_DOWNLOADED. */
export const canSpeak = ({ operation, supported, installed }: Offer): boolean => operation === 'tts' && supported && installed

/**
 * The offers for the native engine in `language`: its own if one of them supports the language or no other engine does, otherwise those
 * of espeak-ng. `others`: every offer of the same machines.
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
