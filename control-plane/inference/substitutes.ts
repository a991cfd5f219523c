// The public names of the speech engines, and which engine substitutes for another one. Pure.
import { engineRow, NATIVE_ENGINE, TTS_ENGINES } from '#shared/engines.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { isSpeechAlias, SPEECH_ALIASES } from './aliases.ts'
import type { Offer } from './offers.ts'

/** Substitutes for the native engine in languages that a machine lacks for it. */
const OTHER_LANGUAGES = 'espeak-ng'

/** `selected`: the engine that is selected for speech; the aliases refer to it. */
export const engineOf = (model: string, selected: string = NATIVE_ENGINE): string => (isSpeechAlias(model) ? selected : model)
export const isKnown = (engine: string): boolean => TTS_ENGINES.some(({ id }) => id === engine)
export const modelNames = (offers: readonly Offer[]): string[] => [
  ...SPEECH_ALIASES,
  ...TTS_ENGINES.map(({ id }) => id),
  ...new Set(offers.filter(({ engine, operation }) => operation === 'tts' && !isKnown(engine)).map(({ engine }) => engine)),
]
/** 'German' for 'de' or 'german'. */
const titleOf = (language: string | null): string => {
  const name = language === null ? '' : nameOf(codeOf(language)) || language.trim().toLowerCase()
  return /^[a-z ]{1,40}$/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : 'this language'
}
const codeOf = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/)[0]!
/** '' for invalid tags, which a machine may send. */
const nameOf = (code: string): string => (/^[a-z]{2,3}$/.test(code) ? (englishNameOf(code)?.toLowerCase() ?? '') : '')
const USUAL_TAG = /^[a-z]{2}(?:[-_].{1,20})?$/
/** `language` is a tag or the English name of one. */
export const offersLanguage = ({ languages }: Offer, language: string): boolean => {
  const [tag, name] = [codeOf(language), language.trim().toLowerCase()]
  if (languages.some((code) => code === '*' || code === tag)) return true
  // The names of all languages take 10 ms when they are made, and a usual tag is none.
  return !USUAL_TAG.test(name) && languages.some((code) => nameOf(code) === name)
}

/** Includes engines whose model is not downloaded. Those answer with a substitute or fail with MODEL_NOT_DOWNLOADED. */
export const canSpeak = ({ operation, supported, installed }: Offer): boolean => operation === 'tts' && supported && installed

/**
 * The offers for the native engine in `language`: its own if one of them supports the language or no other engine does, otherwise those
 * of espeak-ng. `others`: every offer of the same machines.
 */
export function answering(engine: string, language: unknown, offers: readonly Offer[], others: readonly Offer[]): readonly Offer[] {
  const tag = typeof language === 'string' ? language.trim() : ''
  if (engine !== NATIVE_ENGINE || tag === '' || tag.toLowerCase() === 'auto' || offers.some((offer) => offersLanguage(offer, tag)))
    return offers
  const found = others.filter((offer) => offer.engine === OTHER_LANGUAGES && canSpeak(offer) && offersLanguage(offer, tag))
  return found.length === 0 ? offers : found
}

/** Who answers, and the language to send: null leaves the choice to the engine. */
export type Choice = { readonly engine: string; readonly language: string | null }
type Wanted = { readonly language: string | null; readonly voice: string | null; readonly text: string }

/**
 * The engine for a request to `engine`, whose offers are `offers`. Without a named language, the script of the text decides, and for the
 * native engine its words as well: another installed engine answers if `engine` cannot speak the language.
 */
export function choose(engine: string, { language, voice, text }: Wanted, offers: readonly Offer[], others: readonly Offer[]): Choice {
  const tag = (language ?? '').trim()
  if (tag !== '' && tag.toLowerCase() !== 'auto') return { engine: answering(engine, tag, offers, others)[0]?.engine ?? engine, language }
  const unchanged = { engine, language }
  const detected = detectLanguage(text)
  if (!detected || detected.code === 'en' || offers.length === 0 || offers.some((offer) => offer.languages.includes('*'))) return unchanged
  const { code, by } = detected
  // A named voice has a language of its own.
  if (offers.some((offer) => offersLanguage(offer, code))) return voice === null ? { engine, language: code } : unchanged
  if (by === 'words' && engine !== NATIVE_ENGINE) return unchanged
  const substitute = speakersOf(code, others)[0]
  if (substitute) return { engine: substitute.engine, language: code }
  // The engine refuses a language that it names as missing, which is clearer than audio without most of the words.
  return by === 'script' ? { engine, language: code } : unchanged
}

/** The offers that can speak a language now and are no substitutes themselves; espeak-ng last, because the others sound better. */
const speakersOf = (code: string, offers: readonly Offer[]): Offer[] =>
  offers
    .filter((offer) => canSpeak(offer) && offer.downloaded && offer.stands_in === '' && offersLanguage(offer, code))
    .filter(({ languages }) => !languages.includes('*'))
    .toSorted((left, right) => Number(left.engine === OTHER_LANGUAGES) - Number(right.engine === OTHER_LANGUAGES))

/** The name of an engine for people. */
export const engineTitle = (id: string): string => engineRow(id)?.name ?? id

/** The same offer, with the sentence that names the substitute when another engine was requested. */
export const inPlaceOf = (requested: string, offer: Offer | undefined, language: string | null = null): Offer | undefined =>
  offer && requested !== offer.engine && offer.stands_in === ''
    ? {
        ...offer,
        stands_in: `Using ${engineTitle(offer.engine)}, because no model of ${engineTitle(requested)} for ${titleOf(language)} is installed.`,
      }
    : offer
