import { z } from 'zod'
import { LanguageText } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { NeedView } from '#shared/protocol/fields/model-need.ts'
import { LINE_FAULTS } from './rules/faults.rules.ts'
import { LINE_CHECKS } from './rules/report.rules.ts'

const Seconds = z.number().nullable()
const Figure = z.number().nullable()
/** Seconds of the film. */
const Span = z.object({ start: z.number(), end: z.number() })
const Checks = z.array(z.enum(LINE_CHECKS))
export const dubQcContracts = {
  check: contract({
    id: 'dubbing.checkTrack',
    waitsForLocal: true,
    method: 'POST',
    path: '/dub/qc/{job_id}',
    access: 'consume',
    of: { kind: 'dub', param: 'job_id' },
    summary:
      'Checks the voice track of a dub with the engines of this machine and stores how far each line is from its text and its time, and what else is wrong with it.',
    params: z.object({ job_id: z.string().max(1_000) }),
    query: z.strictObject({
      lang: LanguageText.optional(),
      drift_threshold: z.coerce.number().min(0).max(1).default(0.5),
      /** `required`: refused (409, asr_model_missing) where no recogniser knows the language. `optional`: made without words there. */
      words: z.enum(['required', 'optional']).default('required'),
      /** Speaks lines again that are not understood or of a wrong length. A field of the body would refuse clients that send an empty one. */
      repair: z.enum(['true', 'false', '1', '0']).default('false'),
    }),
    reply: z
      .object({
        /** The recogniser; empty if none knows the language. */
        engine: z.string(),
        total: z.int(),
        /** Lines whose drift is above the threshold, and missing ones. */
        flagged_count: z.int(),
        drift_threshold: z.number(),
        segments: z.array(
          z.object({
            seg_id: z.union([z.string(), z.number()]),
            drift: z.number(),
            flagged: z.boolean(),
            recognized_text: z.string(),
            measured_start: Seconds,
            measured_end: Seconds,
            /** Faults of the line. */
            faults: z.array(z.enum(LINE_FAULTS)),
            checked: Checks,
            /** `reason`: an index into `reasons`. */
            not_checked: z.array(z.object({ check: z.enum(LINE_CHECKS), reason: z.int() })),
            language_found: z.string().nullable(),
            /** LUFS, and LU to the lines around. */
            loudness: Figure,
            level_step: Figure,
            clipped_samples: z.int().nullable(),
            rate: Figure,
            cut_s: Figure,
            /** dB of the original voice in the mix. */
            leak_db: Figure,
            voice_similarity: Figure,
          }),
        ),
        /** Lines with at least one fault. */
        faulty_count: z.int(),
        /** Number of lines with sound that each check was made for. */
        checks: z.array(z.object({ check: z.enum(LINE_CHECKS), checked: z.int(), total: z.int() })),
        /** Sentences: why something was not checked, and what to do about it. */
        reasons: z.array(z.string()),
        /** Models without which checks could not be made. */
        needs: z.array(NeedView),
        /** Job that speaks lines again for `repair`; null when there is none. */
        repair_task_id: z.string().nullable(),
        /** Places with a voice in which the transcription recognised no words, as far as there is no line at that time. */
        speech_without_words: z.array(Span),
        /** Other speech of the original at whose time there is no line; null if speech cannot be detected. */
        uncovered: z.array(Span).nullable(),
      })
      .meta({ id: 'DubCheck' }),
  }),
}
