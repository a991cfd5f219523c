import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const DEFAULT_MODEL = 'sherpa-whisper-tiny'

export const dictationSettings = {
  enabled: setting({
    key: 'dictation.enabled',
    title: 'Dictation',
    schema: z.boolean(),
    fallback: true,
    summary: 'Whether dictation is on.',
  }),
  mode: setting({
    key: 'dictation.mode',
    title: 'Dictation key',
    schema: z.enum(['toggle', 'hold']),
    fallback: 'toggle' as const,
    summary: 'Whether the dictation key is pressed once or held.',
  }),
  // May contain a model of another version. The service treats an unknown id as the default.
  model: setting({
    key: 'dictation.model_id',
    schema: z.string().max(200),
    fallback: DEFAULT_MODEL,
    summary: 'The recognition model for dictation.',
  }),
}
