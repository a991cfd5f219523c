// Tools for editors of dubs: what has to be generated again, directions, lines that fit, effects, plugins and the facts about a file.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { plainObject } from '#control-plane/http/input/plain-object.ts'
import { DIMENSIONS } from './direction/taxonomy.ts'
import { FIELDS } from './fingerprint.rules.ts'
import { PresetsReply } from './presets.schema.ts'

const MAX_SEGMENTS = 20_000
const INCREMENTAL_BYTES = 16 * 1024 * 1024
/** 15 fields of each segment. */
const INCREMENTAL_VALUES = 15 * MAX_SEGMENTS
const HASH_CHARS = 64

const word = z.string().max(64)
const line = z.string().max(4096)
const value = z.union([z.string().max(20_000), z.number(), z.boolean()]).nullish()
/** Loose: a segment has fields that do not change its sound, such as its times. */
const Segment = z.looseObject({
  id: z.union([z.string().max(200), z.int()]).nullish(),
  ...(Object.fromEntries(FIELDS.map((field) => [field, value])) as Record<(typeof FIELDS)[number], typeof value>),
})
/** Checked at once: an issue of the schema for each of a hundred thousand entries would block the event loop for seconds. */
const hashes = plainObject((entries) => Object.values(entries).every((hash) => typeof hash === 'string' && hash.length <= HASH_CHARS), {
  message: `Input should be an object of texts of at most ${HASH_CHARS} characters`,
  values: { type: 'string' },
}).transform((entries) => entries as Record<string, string>)
const values = z.array(z.string())
const byDimension = z.object(
  Object.fromEntries(DIMENSIONS.map((name) => [name, values])) as Record<(typeof DIMENSIONS)[number], typeof values>,
)

export const toolsContracts = {
  probe: contract({
    id: 'tools.probe',
    method: 'POST',
    path: '/tools/probe',
    access: 'native',
    summary: 'Returns what ffprobe says about a media file of this machine. Only from the machine of the studio.',
    body: z.strictObject({ path: z.string().max(4096) }),
    reply: z.record(z.string(), z.unknown()),
  }),
  incremental: contract({
    id: 'tools.planIncremental',
    method: 'POST',
    path: '/tools/incremental',
    access: 'consume',
    summary: 'Says which segments have to be generated again, by comparing their fingerprints with those of the last generation.',
    body: z
      .strictObject({
        segments: z.array(Segment).max(MAX_SEGMENTS),
        stored_hashes: hashes.nullish(),
        lang: word.nullish(),
        voice_match: word.nullish(),
      })
      .meta({ id: 'IncrementalRequest' }),
    bodyBytes: INCREMENTAL_BYTES,
    bodyValues: INCREMENTAL_VALUES,
    reply: z
      .object({ stale: values, fresh: values, total: z.int(), fingerprints: z.record(z.string(), z.string()) })
      .meta({ id: 'IncrementalPlan' }),
  }),
  direction: contract({
    id: 'tools.parseDirection',
    method: 'POST',
    path: '/tools/direction',
    access: 'consume',
    summary: 'Turns a direction in everyday language into words of a fixed taxonomy, with a language model if one is ready.',
    body: z.strictObject({ text: z.string().max(2000) }),
    reply: z
      .object({
        tokens: byDimension.partial(),
        instruct_prompt: z.string(),
        translate_hint: z.string(),
        rate_bias: z.number(),
        method: z.enum(['heuristic', 'llm']),
        error: z.string().nullable(),
        taxonomy: byDimension,
      })
      .meta({ id: 'Direction' }),
  }),
  rateFit: contract({
    id: 'tools.fitRate',
    method: 'POST',
    path: '/tools/rate-fit',
    access: 'consume',
    summary: 'Rewrites a line with a language model until speaking it takes about as long as its slot.',
    body: z
      .strictObject({
        text: line,
        // The ratio to a slot that is much shorter than a millisecond is not a finite number.
        slot_seconds: z.number().min(0.001).max(86_400),
        target_lang: word,
        source_text: line.nullish().transform((text) => text ?? null),
      })
      .meta({ id: 'RateFitRequest' }),
    reply: z
      .object({
        text: z.string(),
        rate_ratio: z.number(),
        attempts: z.int(),
        error: z.enum(['fit-skip-short', 'no-llm', 'fit-provider-failed', 'fit-budget']).optional(),
      })
      .meta({ id: 'RateFit' }),
  }),
  effects: contract({
    id: 'tools.listEffects',
    method: 'GET',
    path: '/tools/effects',
    access: 'consume',
    summary: 'Lists the effect presets in display order, as a bare list.',
    reply: PresetsReply.shape.presets,
  }),
  plugins: contract({
    id: 'tools.listPlugins',
    method: 'GET',
    path: '/tools/plugins',
    access: 'consume',
    summary: 'Lists the plugins for speech and why they are not available.',
    reply: z.array(
      z
        .object({
          id: z.string(),
          display_name: z.string(),
          requires_api_key: z.boolean(),
          is_local: z.boolean(),
          available: z.boolean(),
          availability_message: z.string(),
          supported_languages: values,
        })
        .meta({ id: 'SpeechPlugin' }),
    ),
  }),
}
