import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'

const choices = { invisible_enabled: z.boolean(), visible_audio_enabled: z.boolean(), visible_video_enabled: z.boolean() }
const choice = booleanText().optional()

export const watermarkContracts = {
  detect: contract({
    id: 'watermark.detect',
    method: 'POST',
    path: '/watermark/detect',
    access: 'consume',
    summary: 'Searches a recording for the inaudible mark of this studio. About 8 s of speech are needed; long recordings are sampled.',
    body: z.strictObject({}),
    form: ['file'],
    spooled: true,
    reply: z
      .object({
        is_watermarked: z.boolean(),
        /** 0..1, four decimals. */
        confidence: z.number(),
        /** 32 binary digits; empty if the payload could not be read. */
        message_bits: z.string(),
        is_svc_engine: z.boolean(),
        source: z.enum(['VoiceStudio', 'unknown']),
        /** Speed at which the recording is played, as a factor; 1 unless the mark was found at another speed. Our own field. */
        speed: z.number(),
      })
      .meta({ id: 'WatermarkFound' }),
  }),
  status: contract({
    id: 'watermark.status',
    method: 'GET',
    path: '/watermark/status',
    access: 'consume',
    summary: 'Returns which marks are on. The detector is part of the studio and always available.',
    // Clients know the detector by the name of their own one too.
    reply: z.object({ ...choices, detector_available: z.boolean(), audioseal_available: z.boolean() }).meta({ id: 'WatermarkStatus' }),
  }),
  settings: contract({
    id: 'watermark.changeSettings',
    method: 'POST',
    path: '/watermark/settings',
    access: 'admin',
    summary: 'Turns marks on or off. An absent parameter leaves its choice as it is.',
    query: z.strictObject({ invisible: choice, visible_audio: choice, visible_video: choice }),
    reply: z.object(choices).meta({ id: 'WatermarkSettings' }),
  }),
}
