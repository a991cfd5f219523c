// The text that an engine gets in place of figures and abbreviations. Pure.
import { normaliseText, tablesOf } from './normalise.ts'

/**
 * `spells`: as the row of the engine has it; undefined: it reads figures itself. `language`: tag of the text; '' or null if it is unknown, and then nothing is
 * spelled out.
 */
export function spelledFor(spells: 'all' | 'tables' | undefined, text: string, language: string | null): string {
  const isSpelled = spells === 'all' || (spells === 'tables' && tablesOf(language ?? '') !== undefined)
  return isSpelled && language ? normaliseText(text, language) : text
}
