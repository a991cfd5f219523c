// The progress of the start. The port opens at its end, so every answer says ready.
import type { StartupProgress } from './overview.contract.ts'

const STEPS = [
  ['env_prefs', 'Settings'],
  ['native_preload', 'Native libraries'],
  ['ml_imports', 'Engines'],
  ['api_routes', 'Routes'],
  ['db_migrate', 'Database'],
  ['services_start', 'Services'],
] as const

/** `elapsedMs`: how long the start took. */
export const startupProgress = (version: string, elapsedMs: number): StartupProgress => ({
  status: 'ready',
  step: STEPS.at(-1)![0],
  label: 'Ready',
  steps: STEPS.map(([id, label]) => ({ id, label, state: 'done' })),
  elapsed_s: Math.round(elapsedMs / 100) / 10,
  error: null,
  app_version: version,
})
