import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'
import { NOTES } from './reading/chapters/notes-setting.ts'

export const longformSettings = {
  notes: setting({
    key: 'longform.notes',
    access: 'admin',
    schema: z.enum(NOTES),
    fallback: 'omit',
    summary: 'Default of notes for imported books: omit, inline (after the paragraph with the mark) or end (of the chapter).',
  }),
  cacheGigabytes: setting({
    key: 'longform.cache_gigabytes',
    access: 'admin',
    controls: {
      group: 'limits',
      title: 'Audiobook cache',
      help: 'Gigabytes for rendered sentences. Empty: 20, or a fifth of the free space if that is less.',
    },
    schema: z.number().min(0).max(100_000).nullable(),
    fallback: null,
    summary: 'Gigabytes that rendered segments of books may use; null for 20, or a fifth of the free disk space if that is less.',
  }),
}
