import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { DEVICES } from './choices.settings.ts'

const TorchCompile = z.object({ enabled: z.boolean(), platform: z.string() }).meta({ id: 'TorchCompileToggle' })
const family = z.enum(['cuda', 'rocm', 'xpu', 'mps', 'cpu'])
const Device = z
  .object({
    value: z.enum(DEVICES),
    applied: z.enum(DEVICES),
    restart_required: z.boolean(),
    override_ignored: z.boolean(),
    effective_family: family,
    auto_family: family,
    available_families: z.array(family),
    env_pinned: z.boolean(),
    choices: z.array(z.enum(DEVICES)),
  })
  .meta({ id: 'ComputeDevice' })
const Retention = z.object({ cap: z.int(), default: z.int() }).meta({ id: 'HistoryRetention' })
const Refinement = z
  .object({
    auto: z.boolean(),
    smart_cleanup: z.boolean(),
    self_correction: z.boolean(),
    preserve_technical: z.boolean(),
    llm_ready: z.boolean(),
    last_refine_status: z.object({ ok: z.boolean(), reason: z.string().nullable(), at: z.number() }).nullable(),
  })
  .meta({ id: 'DictationRefinement' })
const Analytics = z
  .object({ enabled: z.boolean(), opted_in: z.boolean(), available: z.boolean(), prompted: z.boolean() })
  .meta({ id: 'Analytics' })
const flag = z.boolean().nullish()
const access = 'admin' as const
const enabled = z.strictObject({ enabled: z.boolean() })

export const choiceContracts = {
  readTorchCompile: contract({
    id: 'settings.readTorchCompile',
    method: 'GET',
    path: '/api/settings/perf/torch-compile-disabled',
    access,
    summary: 'Returns whether Python engines skip the compilation of graphs. Only Windows uses the toggle.',
    reply: TorchCompile,
  }),
  setTorchCompile: contract({
    id: 'settings.setTorchCompile',
    method: 'PUT',
    path: '/api/settings/perf/torch-compile-disabled',
    access,
    summary: 'Sets whether Python engines skip the compilation of graphs.',
    body: enabled,
    reply: TorchCompile,
  }),
  readDevice: contract({
    id: 'settings.readComputeDevice',
    method: 'GET',
    path: '/api/settings/compute-device',
    access,
    summary: 'Returns the chosen device family, the one in force and those of this machine.',
    reply: Device,
  }),
  chooseDevice: contract({
    id: 'settings.chooseComputeDevice',
    method: 'PUT',
    path: '/api/settings/compute-device',
    access,
    summary: 'Chooses the device family of the engines, in effect after the next start. STUDIO_COMPUTE_DEVICE takes precedence.',
    body: z.strictObject({ value: z.string().max(64) }),
    reply: Device,
  }),
  readRetention: contract({
    id: 'settings.readHistoryRetention',
    method: 'GET',
    path: '/api/settings/history-retention',
    access,
    summary: 'Returns how many takes are kept.',
    reply: Retention,
  }),
  setRetention: contract({
    id: 'settings.setHistoryRetention',
    method: 'PUT',
    path: '/api/settings/history-retention',
    access: 'own', // it deletes the takes of all
    summary: 'Sets how many takes are kept; 0 for all. Takes are removed when the next one is added.',
    body: z.strictObject({ cap: z.int().min(0).max(100_000) }),
    reply: Retention,
  }),
  readRefinement: contract({
    id: 'settings.readDictationRefinement',
    method: 'GET',
    path: '/api/settings/dictation-refinement',
    access,
    summary: 'Returns how dictated text is refined, and how the last refinement ended.',
    reply: Refinement,
  }),
  setRefinement: contract({
    id: 'settings.setDictationRefinement',
    method: 'PUT',
    path: '/api/settings/dictation-refinement',
    access,
    summary: 'Sets how dictated text is refined. null keeps a flag.',
    body: z.strictObject({ auto: flag, smart_cleanup: flag, self_correction: flag, preserve_technical: flag }),
    reply: Refinement,
  }),
  readAnalytics: contract({
    id: 'settings.readAnalytics',
    method: 'GET',
    path: '/api/settings/analytics',
    access,
    summary: 'Returns the choice about analytics. This version has none and sends nothing.',
    reply: Analytics,
  }),
  setAnalytics: contract({
    id: 'settings.setAnalytics',
    method: 'PUT',
    path: '/api/settings/analytics',
    access,
    summary: 'Stores the choice about analytics.',
    body: enabled,
    reply: Analytics,
  }),
}
