import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const archetypesSettings = {
  downloadPreviews: setting({
    key: 'archetypes.download_previews',
    title: 'Download voice previews',
    schema: z.boolean(),
    fallback: false,
    summary: 'Whether previews of archetypes are downloaded from the configured publisher.',
    changedBy: 'PUT /archetypes/previews, which also downloads or deletes the previews.',
  }),
}
