import { z } from 'zod'
import { type Setting, setting } from '#control-plane/store/setting.ts'

/** True if the licence of the models of this engine was accepted, or that of one model with a licence card (its id). */
export const licenceAccepted = (of: string): Setting<'yes' | 'no'> =>
  setting({
    key: `licence_accepted:${of}`,
    access: 'admin',
    schema: z.enum(['yes', 'no']),
    fallback: 'no' as const,
    summary: `Whether the licence of ${of} was accepted: of the models of an engine, or of one model with a licence card.`,
  })

export const modelsSettings = { licenceAccepted: licenceAccepted('<engine>') }
