import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const DEFAULT_MODEL = 'sherpa-whisper-tiny'

export const dictationSettings = {
  enabled: setting({
    key: 'dictation.enabled',
    access: 'admin',
    controls: { group: 'dictation', title: 'Dictation', help: 'Turn text from the microphone on or off.' },
    schema: z.boolean(),
    fallback: true,
    summary: 'Whether dictation is on.',
  }),
  mode: setting({
    key: 'dictation.mode',
    access: 'admin',
    controls: { group: 'dictation', title: 'Dictation key', help: 'Press it once to begin and once to end, or hold it.' },
    schema: z.enum(['toggle', 'hold']),
    fallback: 'toggle' as const,
    summary: 'Whether the dictation key is pressed once or held.',
  }),
  // May contain a model of another version. The service treats an unknown id as the default.
  model: setting({
    key: 'dictation.model_id',
    access: 'admin',
    schema: z.string().max(200),
    fallback: DEFAULT_MODEL,
    summary: 'The recognition model for dictation.',
  }),
}
