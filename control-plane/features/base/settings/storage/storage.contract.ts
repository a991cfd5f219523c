// The folder of the models, and how the disk is used.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'

const ModelsDir = z
  .object({ configured: z.string().nullable(), effective: z.string(), default: z.string(), restart_required: z.boolean() })
  .meta({ id: 'ModelsDir' })
const ModelsDirChanged = z
  .object({
    configured: z.string().nullable(),
    effective: z.string().optional(),
    default: z.string().optional(),
    restart_required: z.boolean(),
  })
  .meta({ id: 'ModelsDirChanged' })
const bytes = z.number()
const Item = z.object({ name: z.string(), bytes })
const Report = z
  .object({
    generated_at: z.number(),
    min_free_gb: z.number(),
    volumes: z.array(
      z.object({
        path: z.string(),
        total_bytes: bytes,
        used_bytes: bytes,
        free_bytes: bytes,
        used_percent: z.number(),
        roots: z.array(z.string()),
      }),
    ),
    categories: z.array(
      z.object({
        id: z.string(),
        path: z.string(),
        exists: z.boolean(),
        bytes,
        complete: z.boolean(),
        items: z.array(Item).optional(),
        children: z.array(z.object({ id: z.string(), path: z.string(), bytes, complete: z.boolean() })).optional(),
      }),
    ),
    warnings: z.array(
      z.object({
        kind: z.enum(['unreadable', 'low_disk', 'volume_pressure']),
        severity: z.enum(['critical', 'low']).optional(),
        category: z.string().optional(),
        path: z.string(),
        message: z.string(),
      }),
    ),
    cached: z.boolean(),
  })
  .meta({ id: 'StorageReport' })
const Cleared = z
  .object({ removed: z.array(z.string()), freed_bytes: bytes, errors: z.array(z.object({ path: z.string(), error: z.string() })) })
  .meta({ id: 'TemporaryFilesCleared' })
const access = 'admin' as const

export const storageContracts = {
  readModelsDir: contract({
    id: 'settings.readModelsDir',
    method: 'GET',
    path: '/api/settings/storage/models-dir',
    access,
    summary: 'Returns the folder of the models: chosen, in use and default.',
    reply: ModelsDir,
  }),
  chooseModelsDir: contract({
    id: 'settings.chooseModelsDir',
    method: 'PUT',
    path: '/api/settings/storage/models-dir',
    access: 'own', // it opens a path
    summary: 'Chooses the folder of the models with a one-shot authorization that contains the path. In effect after the next start.',
    // `path` is sent by older clients; the path of the authorization counts.
    body: z.strictObject({ path: z.string().max(4096).nullish(), authorization: z.string().max(64) }),
    reply: ModelsDirChanged,
  }),
  report: contract({
    id: 'settings.readStorage',
    method: 'GET',
    path: '/api/settings/storage',
    access,
    summary: 'Returns how the disk is used. The report is kept for 300 s; refresh=true makes a new one.',
    query: z.strictObject({ refresh: booleanText().default(false) }),
    reply: Report,
  }),
  clearTemporary: contract({
    id: 'settings.clearTemporaryFiles',
    method: 'POST',
    path: '/api/settings/storage/temp/clear',
    access,
    summary: 'Deletes temporary files that killed programs of the studio left behind.',
    reply: Cleared,
  }),
}
