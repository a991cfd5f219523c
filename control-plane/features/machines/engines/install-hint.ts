// Hints for making an engine available that no machine offers.

import { firstModelOf } from '#control-plane/inference/missing-model.ts'
import type { EngineRow } from '#shared/engines.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export function installHint({ id, packaging, installHint: own }: EngineRow): string {
  if (own !== undefined) return own
  const model = firstModelOf(id)
  if (packaging === 'built-in' && model) return `Install its model with ${COMMAND} models install ${model.id}.`
  if (packaging === 'sidecar') return 'Install it as a sidecar. docs/sidecar.md describes how.'
  return 'Choose another engine.'
}
