// The translation services on the network, and the variables in which the owner stores the account of each.

type TranslatorVariables = {
  /** The key; without it the service is not used. MyMemory identifies its users by an e-mail address instead. */
  readonly key: string
  /** Another address of the service; absent where there is one only. */
  readonly baseUrl?: string
  /** The region of the account. */
  readonly region?: string
}

export const TRANSLATION_SERVICES = {
  google: { key: 'GOOGLE_TRANSLATE_API_KEY' },
  deepl: { key: 'DEEPL_API_KEY', baseUrl: 'DEEPL_BASE_URL' },
  microsoft: { key: 'MICROSOFT_API_KEY', baseUrl: 'MICROSOFT_BASE_URL', region: 'MICROSOFT_REGION' },
  mymemory: { key: 'MYMEMORY_EMAIL' },
} as const satisfies Readonly<Record<string, TranslatorVariables>>
const KEYS_AND_ADDRESSES: readonly TranslatorVariables[] = [
  ...Object.values(TRANSLATION_SERVICES),
  { key: 'TRANSLATE_API_KEY', baseUrl: 'TRANSLATE_BASE_URL' },
]
export type TranslationServiceId = keyof typeof TRANSLATION_SERVICES

export const isTranslationService = (id: string): id is TranslationServiceId => Object.hasOwn(TRANSLATION_SERVICES, id)
/** The variables of a service. */
export const variablesOf = (id: TranslationServiceId): TranslatorVariables => TRANSLATION_SERVICES[id]

/** The variable with the key for the address in this variable; null for other variables. */
export const keyOfAddress = (name: string): string | null => KEYS_AND_ADDRESSES.find(({ baseUrl }) => baseUrl === name)?.key ?? null
