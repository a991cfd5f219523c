// The parts of a take: where they are in its text and in its sound, and other sounds for them.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const access = 'consume' as const
const of = { kind: 'take', param: 'history_id' } as const
const Take = z.strictObject({ history_id: z.string().max(64) })
const Part = z.strictObject({ history_id: z.string().max(64), part: z.coerce.number().int().min(0).max(100_000) })

const TakeParts = z
  .object({
    id: z.string(),
    /** The text that was sent. */
    text: z.string(),
    /** False for a take of an earlier version, of which the studio has only the first characters. */
    whole: z.boolean(),
    /** True if single parts can be spoken again. */
    repeatable: z.boolean(),
    audio_path: z.string(),
    /** Seconds. */
    duration: z.number(),
    /** Settings as they were asked for; {} for a take of an earlier version. */
    settings: z.record(z.string(), z.unknown()),
    parts: z.array(
      z.object({
        /** Characters of the text before it, and up to its end. */
        from: z.int(),
        to: z.int(),
        /** Seconds. */
        start: z.number(),
        end: z.number(),
        /** False for a sentence of a longer part, whose times follow from its length. */
        exact: z.boolean(),
        /** Part that it belongs to, as routes name it. */
        part: z.int(),
        /** The sounds that the part has, and the one that is heard, counted from 0. */
        sounds: z.int(),
        chosen: z.int(),
      }),
    ),
  })
  .meta({ id: 'TakeParts' })
export type TakeParts = z.output<typeof TakeParts>

export const partsContracts = {
  listParts: contract({
    id: 'speech.listTakeParts',
    method: 'GET',
    path: '/history/{history_id}/parts',
    access,
    of,
    summary: 'The whole text of a take, and the sentences that it was spoken in with their times.',
    extension: true,
    params: Take,
    reply: TakeParts,
  }),
  sayAgain: contract({
    id: 'speech.sayPartAgain',
    method: 'POST',
    path: '/history/{history_id}/parts/{part}/again',
    access,
    of,
    summary:
      'Speaks one part of a take again with the next seed, as a job. The take then has the new sound; the earlier ones stay and can be chosen.',
    extension: true,
    params: Part,
    body: z.strictObject({}),
    status: 202,
    reply: z.object({ id: z.string(), status: z.string() }),
  }),
  chooseSound: contract({
    id: 'speech.choosePartSound',
    method: 'PUT',
    path: '/history/{history_id}/parts/{part}',
    access,
    of,
    summary: 'Puts one of the sounds of a part into the take. Costs no synthesis.',
    extension: true,
    params: Part,
    body: z.strictObject({ chosen: z.int().min(0).max(100) }),
    reply: TakeParts,
  }),
}
