// What a person can do to make an engine available that no machine offers.
import type { EngineRow } from '#shared/engines.ts'

export function installHint({ packaging, installHint: own }: EngineRow): string {
  if (own !== undefined) return own
  if (packaging === 'built-in') return 'Download its model with ./studio models install.'
  if (packaging === 'sidecar') return 'Install it as a sidecar; docs/sidecar.md describes how.'
  return 'Choose another engine.'
}
