import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const pronunciationSettings = {
  enabled: setting({
    key: 'pronunciation_enabled',
    title: 'Use the dictionary',
    schema: z.boolean(),
    fallback: true,
    summary: 'Whether the pronunciation dictionary is applied to texts before they are spoken.',
  }),
}
