// The public names of the speech engines, which engine substitutes for another one, and what a machine must offer to speak a request. Pure.

import type { SpeechNeed } from '#control-plane/tasks/record.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { type EngineId, engineRow, NATIVE_ENGINE, PREFERRED_ENGINES, TTS_ENGINES } from '#shared/engines.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { parseBlend } from '#shared/voices/blend.ts'
import { isSpeechAlias, SPEECH_ALIASES } from './aliases.ts'
import { defaultVoiceOf, findVoice, type Offer, runs } from './offers.ts'

/** `selected`: the engine that is selected for speech; the aliases refer to it. */
export const engineOf = (model: string, selected: string = NATIVE_ENGINE): string => (isSpeechAlias(model) ? selected : model)
/** True if a request means this engine only. The selected and the native one leave the choice to the studio where they cannot speak. */
export const isNamed = (model: string, selected: string): boolean => ![NATIVE_ENGINE, selected].includes(engineOf(model, selected))
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
export const offersLanguage = ({ languages }: Pick<Offer, 'languages'>, language: string): boolean => {
  const [tag, name] = [codeOf(language), language.trim().toLowerCase()]
  if (languages.some((code) => code === '*' || code === tag)) return true
  // The names of all languages take 10 ms when they are made, and a usual tag is none.
  return !USUAL_TAG.test(name) && languages.some((code) => nameOf(code) === name)
}

/** Includes engines whose model is not downloaded. Those answer with a substitute or fail with MODEL_NOT_DOWNLOADED. */
export const canSpeak = ({ operation, supported, installed }: Offer): boolean => operation === 'tts' && supported && installed

/** Engine that answers, and the language to send: null leaves the choice to the engine. */
export type Choice = { readonly engine: string; readonly language: string | null }
type Wanted = { readonly language: string | null; readonly voice: string | null; readonly text: string }
type Chosen = {
  readonly engine: string
  /** The request names this engine and no other may answer, unless it cannot write the script of the text. */
  readonly isNamed: boolean
}

/**
 * The engine for a request to `engine`, whose offers are `offers`. It answers if it has its model and speaks the language; otherwise the best
 * engine that does, unless it was named. Without a named language, the script and the words of the text decide. `others`: every offer of
 * the same machines.
 */
export function choose({ engine, isNamed }: Chosen, wanted: Wanted, offers: readonly Offer[], others: readonly Offer[]): Choice {
  const { language, voice, text } = wanted
  const unchanged = { engine, language }
  if (offers.length === 0) return unchanged
  const tag = isAutomatic(language) ? null : language
  const detected = tag === null ? detectLanguage(text) : null
  const code = tag ?? detected?.code ?? ENGLISH
  const own = offers.filter((offer) => offersLanguage(offer, code))
  const speaks = own.some(isComplete) || (isNamed && own.length > 0)
  // A named voice has a language of its own.
  const isSent = tag === null && code !== ENGLISH && voice === null && !own.some(({ languages }) => languages.includes('*'))
  if (speaks) return isSent ? { engine, language: code } : unchanged
  if (isNamed && detected?.by !== 'script') return unchanged
  const best = speakersOf(code, others, { engine, voice })[0]
  if (best?.engine === engine) return unchanged
  if (best) return { engine: best.engine, language: tag ?? (code === ENGLISH ? language : code) }
  // The engine refuses a language that it names as missing, which is clearer than audio without most of the words.
  return detected?.by === 'script' ? { engine, language: code } : unchanged
}
const ENGLISH = 'en'
const isAutomatic = (language: string | null): boolean => ['', 'auto'].includes((language ?? '').trim().toLowerCase())
const isComplete = (offer: Offer): boolean => canSpeak(offer) && offer.downloaded && offer.stands_in === ''

/**
 * The offers that can speak a language now, the best first: those that have the voice before the others, then in the order of
 * `PREFERRED_ENGINES`. A substitute speaks for its own engine only.
 */
function speakersOf(code: string, offers: readonly Offer[], { engine, voice }: { engine: string; voice: string | null }): Offer[] {
  const order: readonly string[] = PREFERRED_ENGINES.tts
  const lacksVoice = (offer: Offer) => Number(voice !== null && findVoice(offer.engine, offer.voices, voice) === undefined)
  const place = (offer: Offer): number => {
    const at = order.indexOf(offer.stands_in === '' ? offer.engine : EMBEDDED)
    return at < 0 ? order.indexOf(LAST) - 0.5 : at
  }
  const isOther = (offer: Offer) => Number(offer.engine !== engine)
  const isUsable = (offer: Offer) =>
    offer.engine === engine ? canSpeak(offer) && offer.downloaded : isComplete(offer) && !offer.languages.includes('*')
  return offers
    .filter((offer) => isUsable(offer) && offersLanguage(offer, code))
    .toSorted((one, two) => lacksVoice(one) - lacksVoice(two) || place(one) - place(two) || isOther(one) - isOther(two))
}
/** Engine that speaks while the native engine has no model. */
const EMBEDDED: EngineId = 'heart'
/** After engines that are not in the order, such as those that the owner installed. */
const LAST: EngineId = 'espeak-ng'

/** The voices of an engine in a language, to cast speakers with; those of Flite as well where it has one only, and the studio may choose. */
export function castableVoices(engine: string, language: string, offers: readonly Offer[], isOpen: boolean): Offer['voices'] {
  const voicesOf = (id: string) =>
    offers.find((offer) => offer.engine === id)?.voices.filter((voice) => voice.language === '*' || codeOf(voice.language) === language) ??
    []
  const own = voicesOf(engine)
  return own.length === 1 && isOpen ? [...own, ...voicesOf(SEVERAL_VOICES)] : own
}
const SEVERAL_VOICES: EngineId = 'flite'

/** The name of an engine for people. */
export const engineTitle = (id: string): string => engineRow(id)?.name ?? id

/** The same offer, with the sentence that names the substitute when another engine was requested. */
export const inPlaceOf = (requested: string, offer: Offer | undefined, language: string | null = null): Offer | undefined =>
  offer && requested !== offer.engine && offer.stands_in === ''
    ? { ...offer, stands_in: inPlaceSentence(requested, offer, language) }
    : offer

function inPlaceSentence(requested: string, { engine }: Offer, language: string | null): string {
  const missing = isAutomatic(language)
    ? `the model of ${engineTitle(requested)} is not installed`
    : `no model of ${engineTitle(requested)} for ${titleOf(language)} is installed`
  return `Using ${engineTitle(engine)}, because ${missing}.`
}

type Asked = { readonly voice: string | null; readonly language: string | null }

/** The offers of an engine for speech, those of this machine first: a name means its voice, not an equal name of another machine. */
const speechOffersOf = (engine: string, offers: readonly Offer[]): Offer[] =>
  offers
    .filter((offer) => offer.engine === engine && offer.operation === 'tts' && runs(offer))
    .toSorted((one, two) => Number(two.workerId === LOCAL) - Number(one.workerId === LOCAL))
/** Tasks of speech name no model, so a machine offers them what it offers without one. */
const isUnnamed = ({ model }: Offer): boolean => model === ''
const hasVoices = ({ voices }: Offer, ids: readonly string[]): boolean => ids.every((id) => voices.some((voice) => voice.id === id))

/**
 * Ids of the voices that a machine needs for the one that was asked for: several for a blend. Empty when no machine has them, or only under a
 * named model: the engine then looks for the voice itself, and reports it when it uses another one.
 */
export function voicesNeeded(engine: string, voice: string | null, offers: readonly Offer[]): readonly string[] {
  const speakers = speechOffersOf(engine, offers)
  const found = voice === null ? undefined : speakers.map((offer) => voiceIn(offer, voice)).find((one) => one !== undefined)
  if (!found) return []
  const isListed = speakers.some((offer) => hasVoices(offer, [found.id]))
  const ids = (isListed ? null : parseBlend(found.id, (name) => name)?.parts.map((part) => part.voice)) ?? [found.id]
  return speakers.some((offer) => isUnnamed(offer) && hasVoices(offer, ids)) ? ids : []
}

/**
 * Requirement of a task for a machine: the voices that were asked for; without one the language. A voice speaks its own language. Undefined
 * when no machine has either: the engine then refuses the language, or uses its default voice and reports it.
 */
export function spokenBy(engine: string, { voice, language }: Asked, offers: readonly Offer[]): SpeechNeed | undefined {
  const voices = voicesNeeded(engine, voice, offers)
  if (voices.length > 0) return { voices, language: '' }
  const speakers = speechOffersOf(engine, offers)
  const isElsewhere = voice !== null && speakers.some((offer) => voiceIn(offer, voice) !== undefined)
  if (isElsewhere || language === null || isAutomatic(language)) return undefined
  const able = speakers.filter((offer) => isUnnamed(offer) && offersLanguage(offer, language))
  if (able.length === 0) return undefined
  const codes = able.flatMap(({ languages }) => languages).filter((code) => code !== '*')
  return { voices: [], language: codes.find((code) => offersLanguage({ languages: [code] }, language)) ?? codeOf(language) }
}

/** Leaves out the offers of this engine that lack one of the voices. */
export const havingVoices = (offers: readonly Offer[], engine: string, voices: readonly string[]): Offer[] =>
  offers.filter((offer) => offer.engine !== engine || hasVoices(offer, voices))

/** A model of several speakers stands for its usual one. */
const voiceIn = ({ engine, model, voices }: Offer, name: string) =>
  findVoice(engine, voices, name) ??
  (model !== '' && model.toLowerCase() === name.toLowerCase() ? (defaultVoiceOf(voices, null) ?? undefined) : undefined)
