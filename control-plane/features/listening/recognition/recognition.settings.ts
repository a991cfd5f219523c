import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const recognitionSettings = {
  expectedLanguages: setting({
    key: 'recognition.expected_languages',
    access: 'admin',
    controls: {
      group: 'families',
      title: 'Expected languages',
      help: 'Codes such as en, fr. Recordings without a chosen language are in one of these. Empty: any language.',
    },
    schema: z.string().max(100),
    fallback: '',
    summary: 'The languages that recordings have, as codes such as `en, fr`. Where a request names none, Whisper detects one of these.',
  }),
}
/** The codes of the setting; other words are ignored. */
export const codesIn = (languages: string): string[] => languages.toLowerCase().match(/\b[a-z]{2,3}\b/g) ?? []
