// Hints for making an engine available that no machine offers.

import { firstModelOf } from '#control-plane/inference/missing-model.ts'
import { kindOfEngine, needOf } from '#control-plane/inference/needs/needs.ts'
import type { EngineRow } from '#shared/engines.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export function installHint({ id, packaging, installHint: own }: EngineRow): string {
  if (own !== undefined) return own
  const model = firstModelOf(id)
  if (packaging === 'built-in' && model) return `Install its model with ${COMMAND} models install ${model.id}.`
  if (packaging === 'sidecar') return 'Install it as a sidecar. docs/sidecar.md describes how.'
  return 'Choose another engine.'
}

/** The model that makes a built-in engine available; null for an engine that needs something else. */
export function needOfEngine({ id, packaging }: EngineRow): ModelNeed | null {
  const model = packaging === 'built-in' ? firstModelOf(id) : undefined
  return model ? needOf(kindOfEngine(id), model) : null
}
