// Converts the IPA of espeak-ng to the symbols of Kokoro. Pure.

export type SymbolTable = Readonly<Record<string, number>>

// Replaces symbols of espeak-ng that are not in the training data of Kokoro.
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

/** One id per symbol. Unknown symbols are skipped and counted in `dropped`. */
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
