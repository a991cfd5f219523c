import { z } from 'zod'

export const PresetsReply = z
  .object({ presets: z.array(z.object({ id: z.string(), label: z.string(), icon: z.string(), description: z.string() })) })
  .meta({ id: 'EffectPresets' })
