import { z } from 'zod'
import { type Setting, setting } from '../../store/setting.ts'

/** Whether the licence of the models of this engine was accepted. */
export const licenceAccepted = (engine: string): Setting<'yes' | 'no'> =>
  setting({
    key: `licence_accepted:${engine}`,
    schema: z.enum(['yes', 'no']),
    fallback: 'no' as const,
    summary: `Whether the licence of the models of ${engine} was accepted.`,
  })

export const modelsSettings = { licenceAccepted: licenceAccepted('<engine>') }
