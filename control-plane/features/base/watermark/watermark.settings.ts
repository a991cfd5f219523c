import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const watermarkSettings = {
  invisible: setting({
    key: 'watermark.invisible',
    title: 'Inaudible mark',
    schema: z.boolean(),
    fallback: true,
    changedBy: 'Change it with POST /watermark/settings, which records the change in the audit log.',
    summary: 'Whether synthetic audio carries the inaudible mark of this studio. Turning it off is recorded in the audit log.',
  }),
  visibleAudio: setting({
    key: 'watermark.visible_audio',
    title: 'Spoken notice',
    schema: z.boolean(),
    fallback: false,
    summary: 'The choice of clients for an audible notice. It is stored for them; the studio adds none.',
  }),
  visibleVideo: setting({
    key: 'watermark.visible_video',
    title: 'Notice in videos',
    schema: z.boolean(),
    fallback: true,
    summary: 'Whether dubbed videos show a notice.',
  }),
}
