// The model that something needs and no machine has: structured, so that clients can offer its installation instead of a command.
import { z } from 'zod'

/** Uses of a model, by the kind of work that it makes possible. */
export const NEED_KINDS = ['speech', 'cloning', 'description', 'recognition', 'dictation', 'speakers', 'background', 'translation'] as const
export type NeedKind = (typeof NEED_KINDS)[number]
/** A missing model in answers and events. */
export const NeedView = z
  .object({
    for: z.enum(NEED_KINDS),
    /** One of them is enough; the first one is recommended. Empty if the catalogue has none. */
    models: z.array(z.object({ repo_id: z.string(), label: z.string(), size_bytes: z.int() })),
  })
  .meta({ id: 'ModelNeed' })
export type ModelNeed = z.output<typeof NeedView>
export type NeededModel = ModelNeed['models'][number]
