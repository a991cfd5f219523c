import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const watermarkSettings = {
  invisible: setting({
    key: 'watermark.invisible',
    access: 'admin',
    controls: {
      group: 'marks',
      title: 'Inaudible mark',
      help: 'Speech of this studio can be recognised as synthetic, also after conversion. Turning it off is recorded.',
    },
    schema: z.boolean(),
    fallback: true,
    changedBy: 'Change it with POST /watermark/settings, which records the change in the audit log.',
    summary: 'Whether synthetic audio carries the inaudible mark of this studio. Turning it off is recorded in the audit log.',
  }),
  visibleAudio: setting({
    key: 'watermark.visible_audio',
    access: 'admin',
    controls: { group: 'marks', title: 'Spoken notice', help: 'Stored for programs that add one. The studio adds none.' },
    schema: z.boolean(),
    fallback: false,
    summary: 'The choice of clients for an audible notice. It is stored for them; the studio adds none.',
  }),
  visibleVideo: setting({
    key: 'watermark.visible_video',
    access: 'admin',
    controls: { group: 'marks', title: 'Notice in videos', help: 'Dubbed videos say that their voices are synthetic.' },
    schema: z.boolean(),
    fallback: true,
    summary: 'Whether dubbed videos show a notice.',
  }),
}
