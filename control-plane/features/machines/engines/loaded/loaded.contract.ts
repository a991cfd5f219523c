// Models in memory, and unloading them.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'

const StatusReply = z
  .object({
    status: z.enum(['idle', 'loading', 'ready']),
    loaded: z.boolean(),
    loading: z.boolean(),
    checkpoint: z.string().nullable(),
    loaded_at: z.string().nullable(),
    sub_stage: z.string(),
    detail: z.string(),
    progress: z.number().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'ModelStatus' })
export type ModelStatus = z.output<typeof StatusReply>
const Model = z.object({
  id: z.string(),
  name: z.string(),
  checkpoint: z.string(),
  device: z.string(),
  vram_mb: z.number(),
  unloadable: z.boolean(),
  note: z.string().optional(),
  engine_id: z.string().optional(),
  is_active_engine: z.boolean().nullable().optional(),
})
const LoadedReply = z
  .object({
    models: z.array(Model),
    count: z.int(),
    system: z.object({ ram_available_gb: z.number(), ram_total_gb: z.number() }),
    degraded_sources: z.array(z.string()),
  })
  .meta({ id: 'LoadedModels' })
const UnloadReply = z
  .object({ unloaded: z.string(), success: z.boolean(), reason: z.string().optional(), count: z.int().optional() })
  .meta({ id: 'ModelUnloaded' })
const FlushReply = z
  .object({
    flushed: z.literal(true),
    unloaded_model: z.boolean(),
    ram_after: z.number(),
    vram_after: z.number(),
    vram_reserved: z.number(),
  })
  .meta({ id: 'MemoryFlushed' })
const yes = booleanText()

export const loadedContracts = {
  modelStatus: contract({
    id: 'engines.modelStatus',
    method: 'GET',
    path: '/model/status',
    access: 'admin',
    summary: 'Returns whether the selected speech engine is in memory.',
    query: z.object({}),
    reply: StatusReply,
  }),
  listLoaded: contract({
    id: 'engines.listLoaded',
    method: 'GET',
    path: '/model/loaded',
    access: 'admin',
    summary: 'Lists the models that are in memory.',
    query: z.object({}),
    reply: LoadedReply,
  }),
  unload: contract({
    id: 'engines.unload',
    method: 'POST',
    path: '/model/unload/{model_id}',
    access: 'admin',
    summary: 'Unloads an idle engine. A busy engine stays loaded and the reply says so.',
    params: z.object({ model_id: z.string().max(100) }),
    reply: UnloadReply,
  }),
  flushMemory: contract({
    id: 'system.flushMemory',
    method: 'POST',
    path: '/system/flush-memory',
    access: 'admin',
    summary: 'Frees cached memory. With unload_model=true it also unloads every idle engine.',
    query: z.object({ unload_model: yes.optional() }),
    reply: FlushReply,
  }),
}
