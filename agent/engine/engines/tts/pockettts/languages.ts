// What depends on the language of Pocket-TTS. Source: the documentation of kyutai-labs/pocket-tts, "generate", option --voice, and the change of
// July 2026 that set the temperature of the English model to 0.3 after a listening test; the other models keep 0.7.

type LanguageDefaults = {
  /** Used if the bundle has it; the published bundles have English voices only. */
  readonly voice: string
  /** The variance of the noise. */
  readonly temperature: number
}

/** By ISO 639-1 code. The first downloaded one is used for text of an unknown language. */
const DEFAULTS: Readonly<Record<string, LanguageDefaults>> = {
  en: { voice: 'alba', temperature: 0.3 },
  fr: { voice: 'estelle', temperature: 0.7 },
  de: { voice: 'juergen', temperature: 0.7 },
  it: { voice: 'giovanni', temperature: 0.7 },
  pt: { voice: 'rafael', temperature: 0.7 },
  es: { voice: 'lola', temperature: 0.7 },
}
const OTHERWISE = DEFAULTS['en']!

export const POCKET_LANGUAGES: readonly string[] = Object.keys(DEFAULTS)
export const temperatureOf = (language: string): number => (DEFAULTS[language] ?? OTHERWISE).temperature

/** The voice of the language, else the English one; undefined when the bundle has neither. */
export const defaultVoice = (language: string, names: readonly string[]): string | undefined =>
  [DEFAULTS[language] ?? OTHERWISE, OTHERWISE].map(({ voice }) => voice).find((voice) => names.includes(voice))
