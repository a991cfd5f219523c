import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const pronunciationSettings = {
  enabled: setting({
    key: 'pronunciation_enabled',
    access: 'admin',
    controls: { group: 'dictionary', title: 'Use the dictionary', help: 'Applies to speech, audiobooks and dubs.' },
    schema: z.boolean(),
    fallback: true,
    summary: 'Whether the pronunciation dictionary is applied to texts before they are spoken.',
  }),
}
