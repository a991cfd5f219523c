// From the IPA of espeak-ng to the symbols that Kokoro learned. Pure.

export type SymbolTable = Readonly<Record<string, number>>

// What espeak-ng writes and Kokoro was not trained on, as it was trained on it.
const ENGLISH: readonly (readonly [RegExp, string])[] = [
  [/ʲ/g, 'j'],
  [/r/g, 'ɹ'],
  [/x/g, 'k'],
  [/ɬ/g, 'l'],
  [/(?<=[a-zɹː])(?=hˈʌndɹɪd)/g, ' '],
  [/ z(?=[;:,.!?¡¿—…"«»“” ]|$)/g, 'z'],
]
const AMERICAN: readonly (readonly [RegExp, string])[] = [[/(?<=nˈaɪn)ti(?!ː)/g, 'di']]

export function toKokoroSymbols(ipa: string, espeakVoice: string): string {
  const rules = [...(espeakVoice.startsWith('en') ? ENGLISH : []), ...(espeakVoice === 'en-us' ? AMERICAN : [])]
  return rules.reduce((text, [what, by]) => text.replace(what, by), ipa.replace(/\u0361|\u200d|[_^-]/g, '')).trim()
}

/** One id per symbol; what the table does not have is skipped and counted. */
export function toKokoroIds(symbols: string, table: SymbolTable): { ids: number[]; dropped: number } {
  const ids: number[] = []
  let dropped = 0
  for (const symbol of symbols) {
    const id = Object.hasOwn(table, symbol) ? table[symbol] : undefined
    if (id === undefined) dropped++
    else ids.push(id)
  }
  return { ids, dropped }
}
