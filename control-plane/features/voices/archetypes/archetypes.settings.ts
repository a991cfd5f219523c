import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const archetypesSettings = {
  downloadPreviews: setting({
    key: 'archetypes.download_previews',
    access: 'admin',
    controls: {
      group: 'takes',
      title: 'Download voice previews',
      help: 'Samples of the offered voices come from their publisher. Otherwise they are made here.',
    },
    schema: z.boolean(),
    fallback: false,
    summary: 'Whether previews of archetypes are downloaded from the configured publisher.',
    changedBy: 'PUT /archetypes/previews, which also downloads or deletes the previews.',
  }),
}
