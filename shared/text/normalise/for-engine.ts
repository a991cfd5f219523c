// The text that an engine gets in place of figures and abbreviations. Pure.
import type { EngineRow } from '#shared/engines.ts'
import { normaliseText, tablesOf } from './normalise.ts'

/**
 * `spells`: of the engine's row; undefined: it reads figures itself. `language`: tag of the text; '' or null if it is unknown, and then nothing is
 * spelled out.
 */
export function spelledFor(spells: EngineRow['spells'], text: string, language: string | null): string {
  const isSpelled = spells === 'all' || (spells === 'tables' && tablesOf(language ?? '') !== undefined)
  return isSpelled && language ? normaliseText(text, language) : text
}
