// Parameters of the job `prep_<dub>`.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { type Dub, INPUT_TYPES } from '#control-plane/features/dubbing/store/dub.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const PrepParams = z.object({
  dub: z.string(),
  /** Random: what this run makes can be told from what was there. */
  run: z.string(),
  source: z.string(),
  inputType: z.enum(INPUT_TYPES),
  filename: z.string(),
})
export type PrepParams = z.output<typeof PrepParams>

/** The dub of a job that goes on. Throws CANCELLED when it was deleted meanwhile. */
export function dubOrGone({ store }: Pick<DubCore, 'store'>, id: string): Dub {
  const dub = store.dubs.find(id)
  if (!dub) throw new Failure('CANCELLED', 'The dub was deleted.')
  return dub
}
