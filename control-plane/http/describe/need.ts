// A missing model in answers and events.
import { z } from 'zod'
import { NEED_KINDS } from '#shared/protocol/fields/model-need.ts'

export const NeedView = z
  .object({
    for: z.enum(NEED_KINDS),
    /** One of them is enough; the first one is recommended. */
    models: z.array(z.object({ repo_id: z.string(), label: z.string(), size_bytes: z.int() })),
  })
  .meta({ id: 'ModelNeed' })
