// Schemas of section 4.2: engines, their selection and their state.
import { z } from 'zod'
import { NeedView } from '#shared/protocol/fields/model-need.ts'

const Row = {
  id: z.string(),
  display_name: z.string(),
  available: z.boolean(),
  reason: z.string().nullable(),
  install_hint: z.string(),
  /** The model to install; null if it can speak, or needs something else. */
  needs: NeedView.nullable(),
  last_error: z.string().nullable(),
  isolation_mode: z.enum(['in-process', 'subprocess']),
  gpu_compat: z.array(z.string()),
  effective_device: z.string(),
  routing_status: z.enum(['cpu_only', 'cpu_fallback', 'accelerated', 'unavailable', 'n/a']),
  routing_reason: z.string().nullable(),
}
export const AsrBackend = z.object(Row).meta({ id: 'AsrBackend' })
export type AsrBackend = z.output<typeof AsrBackend>
export const LlmBackend = z.object({ ...Row, hint: z.string().nullable() }).meta({ id: 'LlmBackend' })
export type LlmBackend = z.output<typeof LlmBackend>
export const TtsBackend = z
  .object({
    ...Row,
    hint: z.string().nullable(),
    supports_cloning: z.boolean().nullable(),
    supports_emotion: z.boolean(),
    setup_snippet: z.string(),
    one_click_install: z.boolean(),
    min_vram_gb: z.number().nullable(),
    voices: z.array(z.object({ id: z.string(), name: z.string(), language: z.string() })),
    /** Only for mlx-audio. */
    curated_models: z.array(z.object({ key: z.string(), label: z.string(), repo_id: z.string() })).optional(),
    active_model_id: z.string().optional(),
  })
  .meta({ id: 'TtsBackend' })
export type TtsBackend = z.output<typeof TtsBackend>

const family = <T extends z.ZodType>(row: T) => z.object({ active: z.string(), env_override: z.boolean(), backends: z.array(row) })
export const TtsFamily = family(TtsBackend).meta({ id: 'TtsEngines' })
export const AsrFamily = family(AsrBackend).meta({ id: 'AsrEngines' })
export const LlmFamily = family(LlmBackend).meta({ id: 'LlmEngines' })
export const EnginesReply = z.object({ tts: TtsFamily, asr: AsrFamily, llm: LlmFamily }).meta({ id: 'Engines' })

const word = z.string().max(64)
/** Unknown values are refused with 400 by the service, like other refusals. */
export const SelectBody = z
  .strictObject({ family: word, backend_id: word, model_id: z.string().max(200).nullish() })
  .meta({ id: 'EngineChoice' })
export const SelectReply = z
  .object({
    family: z.string(),
    active: z.string(),
    env_override: z.boolean(),
    routing_status: Row.routing_status,
    effective_device: z.string(),
    routing_reason: z.string().nullable(),
  })
  .meta({ id: 'EngineChosen' })

export const EnginePath = z.object({ engine_id: word })
export const HealthReply = z
  .object({ id: z.string(), ok: z.boolean(), message: z.string(), latency_ms: z.number() })
  .meta({ id: 'EngineHealth' })
