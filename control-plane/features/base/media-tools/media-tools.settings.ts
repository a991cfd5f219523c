import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

const Choice = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['auto', 'system']) }),
  z.object({ kind: z.literal('custom'), path: z.string().max(4096).refine(isAbsolute) }),
])

export const mediaToolsSettings = {
  choices: setting({
    key: 'media_tools.choices',
    access: 'own',
    schema: z.object({ ffmpeg: Choice, ffprobe: Choice }),
    fallback: { ffmpeg: { kind: 'auto' }, ffprobe: { kind: 'auto' } },
    summary: 'Which ffmpeg and ffprobe are used: auto (the downloaded build, otherwise PATH), system (PATH), or custom with a path.',
    changedBy: 'Choose the program in the settings, which authorizes its path.',
  }),
}
