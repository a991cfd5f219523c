// Uploaded media that an editor plays. GET /preview/{filename} is served from the folder (control-plane/http/mount/folders.ts).
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

export const previewContracts = {
  upload: contract({
    id: 'preview.upload',
    method: 'POST',
    path: '/preview/upload',
    access: 'consume',
    summary: 'Keeps a video or a recording for a day, with its sound as WAV. notice says why there is no WAV.',
    body: z.strictObject({}),
    form: ['video'],
    spooled: true,
    reply: z
      .object({ url: z.string(), audioUrl: z.string(), filename: z.string(), notice: z.string().nullable() })
      .meta({ id: 'PreviewUploaded' }),
  }),
}
