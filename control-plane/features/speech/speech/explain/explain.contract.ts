import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

/** UTF-16 units of a tried text, and of one whose stages are shown. */
const TRIED_CHARS = 200_000
const STAGES_CHARS = 20_000

/** In the order in which a text passes them. */
export const STAGES = ['clean', 'pronounce', 'segment', 'expand'] as const

export const explainContracts = {
  test: contract({
    id: 'pronunciation.test',
    method: 'POST',
    path: '/pronunciation/test',
    access: 'admin',
    summary: 'Returns a text as it is sent to an engine, after inline pronunciations and the dictionary.',
    body: z
      .strictObject({
        text: z
          .string()
          .max(TRIED_CHARS)
          .refine((text) => text.isWellFormed(), 'must be valid Unicode'),
        language: z.string().max(64).nullish(),
        stages: z.boolean().default(false).describe('True also returns the text after each stage on its way to the engine'),
        engine: z.string().max(200).nullish().describe('With stages: the name of a model or of an engine; by default the selected one'),
        voice: z.string().max(200).nullish().describe('With stages: a voice of the engine'),
      })
      .refine(({ text, stages }) => !stages || text.length <= STAGES_CHARS, {
        path: ['text'],
        message: `must have at most ${STAGES_CHARS} characters where stages are asked for`,
      })
      .meta({ id: 'PronunciationTest' }),
    reply: z
      .object({
        input: z.string(),
        substituted: z.string(),
        changed: z.boolean(),
        applied_terms: z.array(z.string()),
        explained: z
          .object({
            /** Id of the engine that would speak, and its name. */
            engine: z.string(),
            engine_name: z.string(),
            /** Tag of the language whose rules were used; '' if it is unknown. */
            language: z.string(),
            /** Lines are sentences from the stage `segment` on. */
            stages: z.array(z.object({ stage: z.enum(STAGES), changed: z.boolean(), lines: z.array(z.string()) })),
            notices: z.array(z.string()),
          })
          .optional(),
      })
      .meta({ id: 'PronunciationTestReply' }),
  }),
}
