// The events of streams that several routes share.
import { z } from 'zod'

/** Its type says which further fields it has. */
export const TypedEvent = z.looseObject({ type: z.string() }).meta({ id: 'TypedEvent' })

/** Named by the event field of server-sent events. */
export const ChangeEvent = z.looseObject({}).meta({ id: 'ChangeEvent' })

/** The last event of a stream of the public API that failed after its first bytes. */
export const PublicErrorEvent = z
  .object({ error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }) })
  .meta({ id: 'PublicErrorEvent' })
