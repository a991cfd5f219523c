// The events of streams that several routes share.
import { z } from 'zod'

/** The last event of a stream of the public API that failed after its first bytes. */
export const PublicErrorEvent = z
  .object({ error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }) })
  .meta({ id: 'PublicErrorEvent' })
