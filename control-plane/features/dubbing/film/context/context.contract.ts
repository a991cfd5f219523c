import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { BRIGHTNESS, COMPLEXITY, MOODS } from './context.rules.ts'

const Cues = z.object({
  brightness: z.enum(BRIGHTNESS),
  mood: z.enum(MOODS),
  complexity: z.enum(COMPLEXITY),
  frame_count: z.int(),
})
const segments = z.record(z.string(), Cues).meta({ id: 'PictureCuesByLine' })

export const contextContracts = {
  videoContext: contract({
    id: 'dub.videoContext',
    method: 'POST',
    path: '/tools/video-context/{job_id}',
    access: 'consume',
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns how bright, colourful and busy the picture is during each line of a dub, from at most 30 pictures.',
    params: z.strictObject({ job_id: z.string().max(1_000) }),
    reply: z.union([
      z.object({
        global_mood: z.enum(MOODS),
        global_brightness: z.enum(BRIGHTNESS),
        segments,
        frame_count: z.int(),
      }),
      z.object({ error: z.string(), segments }),
    ]),
  }),
}
