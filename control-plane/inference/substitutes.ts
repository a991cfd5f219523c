// The text-to-speech engines by their public ids, and what the connected machines say about each.
import { NATIVE, TTS } from '../areas/engines/known.ts'

/** What a connected machine says it can do; the part of a description that this area needs. */
export type Offer = {
  readonly workerId: string
  readonly engine: string
  readonly model: string
  readonly operation: string
  readonly implementation: string
  readonly stands_in: string
  readonly languages: readonly string[]
  readonly voices: readonly { readonly id: string; readonly name: string; readonly language: string }[]
  readonly cloning: boolean
  readonly supported: boolean
  readonly installed: boolean
  readonly downloaded: boolean
  readonly device: string
  readonly sample_rate: number
}

/** What speaks for the native engine in the languages that this one lacks on a machine. */
const OTHER_LANGUAGES = 'espeak-ng'
const ALIASES = ['tts-1', 'tts-1-hd']

/** `selected`: what the aliases mean, the engine that was chosen for speech. */
export const engineOf = (model: string, selected: string = NATIVE): string => (ALIASES.includes(model) ? selected : model)
export const isKnown = (engine: string): boolean => TTS.some(({ id }) => id === engine)
export const modelNames = (offered: readonly Offer[]): string[] => [
  ...ALIASES,
  ...TTS.map(({ id }) => id),
  ...new Set(offered.filter(({ engine, operation }) => operation === 'tts' && !isKnown(engine)).map(({ engine }) => engine)),
]
const codeOf = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/)[0]!
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** '' for what is no language tag: machines say what they like. */
const nameOf = (code: string): string => (/^[a-z]{2,3}$/.test(code) ? (names.of(code)?.toLowerCase() ?? '') : '')
/** `language` is a tag or the English name of one. */
const speaksLanguage = ({ languages }: Offer, language: string): boolean =>
  languages.some((code) => code === '*' || code === codeOf(language) || nameOf(code) === language.trim().toLowerCase())

/**
 * Who answers for the native engine in `language`: its own offers where one of them speaks it or nobody does better, otherwise those of
 * espeak-ng, each saying that it stands in.
 */
export function answering(engine: string, language: unknown, offers: readonly Offer[], others: readonly Offer[]): readonly Offer[] {
  const tag = typeof language === 'string' ? language.trim() : ''
  if (engine !== NATIVE || tag === '' || tag.toLowerCase() === 'auto' || offers.some((one) => speaksLanguage(one, tag))) return offers
  const found = others.filter((one) => one.engine === OTHER_LANGUAGES && speaks(one) && speaksLanguage(one, tag))
  return found.length === 0 ? offers : found
}

/** The same offer, saying so when another engine was asked for. */
export const inPlaceOf = (asked: string, offer: Offer | undefined): Offer | undefined =>
  offer && asked !== offer.engine && offer.stands_in === ''
    ? { ...offer, stands_in: `${offer.engine} answers for ${asked}, whose weights for this language are not installed on this machine.` }
    : offer

export const speaks = ({ operation, supported, installed }: Offer): boolean => operation === 'tts' && supported && installed
