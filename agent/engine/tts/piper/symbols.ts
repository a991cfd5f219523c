// Converts IPA or letters to the ids of a voice. Pure.

import { composed } from '#shared/text/unicode/compose.ts'
import { BEGIN, END, PAD, type PiperConfig } from './config.ts'

export type PiperIds = { readonly ids: readonly number[]; readonly dropped: number }

/**
 * IPA with the marks that the voices were trained with: those at which espeak-ng ends a clause. It is silent about brackets and quotation marks, and
 * reads a dash as a semicolon.
 */
export const toPiperMarks = (ipa: string): string =>
  ipa
    .replace(/["“”«»()[\]¡¿]/g, '')
    .replace(/ ?[—–] ?/g, '; ')
    .replace(/[…।॥]/g, '.')
    // Of several marks in a row the first one counts, as in "What?!".
    .replace(/([.,:;?!])[.,:;?!]+/g, '$1')
    .replace(/ {2,}/g, ' ')
    .trim()

const SPOKEN = /[\p{L}\p{M}\p{N}]/u

/** The first symbol, then each symbol followed by the padding, then the last. `dropped`: letters and marks that the voice does not have. */
export function toPiperIds(text: string, { phoneme_id_map: map, vowel_clusters: clusters }: PiperConfig): PiperIds {
  // Marks are symbols of their own, so letters are decomposed.
  const symbols = [...composed(text, 'NFD')]
  const ids = [...map[BEGIN]!, ...map[PAD]!]
  const idsOf = (symbol: string) => (Object.hasOwn(map, symbol) ? map[symbol] : undefined)
  let dropped = 0
  for (let at = 0; at < symbols.length; ) {
    const cluster = clusters.find((parts) => parts.every((part, index) => symbols[at + index] === part) && idsOf(parts.join('')))
    const symbol = cluster?.join('') ?? symbols[at]!
    const found = idsOf(symbol) ?? idsOf(symbol.toLowerCase())
    if (found) ids.push(...found, ...map[PAD]!)
    else if (SPOKEN.test(symbol)) dropped++
    at += cluster?.length ?? 1
  }
  return { ids: [...ids, ...map[END]!], dropped }
}
