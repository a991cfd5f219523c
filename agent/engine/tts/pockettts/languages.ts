// Rules for the languages of Pocket-TTS that are not in the bundles. Source: the configurations of pocket-tts 4.0.1; for the voices its
// documentation ("generate", option --voice).

type LanguageRules = {
  /** Used if the bundle has it; the published bundles have English voices only. */
  readonly voice: string
  /** Characters that the training data does not have, and what the model reads instead. */
  readonly replaced: ReadonlyMap<string, string>
}

const APOSTROPHES = { '’': "'", '‘': "'" }
const deleted = (characters: string): Record<string, string> => Object.fromEntries(Array.from(characters, (character) => [character, '']))
const SHARED = { ...APOSTROPHES, ...deleted('"“”„«»()[]'), '–': ',' }
const rules = (voice: string, replaced: Readonly<Record<string, string>>): LanguageRules => ({
  voice,
  replaced: new Map(Object.entries(replaced)),
})

/** By ISO 639-1 code. The first downloaded one is used for text of an unknown language. */
const RULES: Readonly<Record<string, LanguageRules>> = {
  en: rules('alba', APOSTROPHES),
  fr: rules('estelle', { ...SHARED, ':': ',' }),
  de: rules('juergen', { ...SHARED, '—': ',' }),
  it: rules('giovanni', SHARED),
  pt: rules('rafael', SHARED),
  es: rules('lola', { ...SHARED, ...deleted('¡¿') }),
}
const OTHERWISE = RULES['en']!

/** The variance of the noise: better than 0.7 for all published models, by word errors and by judged quality. */
export const TEMPERATURE = 0.3

export const POCKET_LANGUAGES: readonly string[] = Object.keys(RULES)
export const replacedIn = (language: string): ReadonlyMap<string, string> => (RULES[language] ?? OTHERWISE).replaced

/** The voice of the language, else the English one; undefined when the bundle has neither. */
export const defaultVoice = (language: string, names: readonly string[]): string | undefined =>
  [RULES[language] ?? OTHERWISE, OTHERWISE].map(({ voice }) => voice).find((voice) => names.includes(voice))
