// X-SAMPA, the phonetic alphabet in ASCII, as symbols of the International Phonetic Alphabet. Pure.
// Source of the table: J. C. Wells, "Computer-coding the IPA: a proposed extension of SAMPA", 1995.

const TABLE: ReadonlyMap<string, string> = new Map(
  `
a a|b b|b_< ɓ|c c|d d|d\` ɖ|d_< ɗ|e e|f f|g ɡ|g_< ɠ|h h|h\\ ɦ|i i|j j|j\\ ʝ|k k|l l|l\` ɭ|l\\ ɺ|m m|n n|n\` ɳ|o o|p p|p\\ ɸ|q q|r r|r\` ɽ|r\\ ɹ|r\\\` ɻ
s s|s\` ʂ|s\\ ɕ|t t|t\` ʈ|u u|v v|v\\ ʋ|w w|x x|x\\ ɧ|y y|z z|z\` ʐ|z\\ ʑ
A ɑ|B β|B\\ ʙ|C ç|D ð|E ɛ|F ɱ|G ɣ|G\\ ɢ|G\\_< ʛ|H ɥ|H\\ ʜ|I ɪ|I\\ ᵻ|J ɲ|J\\ ɟ|J\\_< ʄ|K ɬ|K\\ ɮ|L ʎ|L\\ ʟ|M ɯ|M\\ ɰ|N ŋ|N\\ ɴ|O ɔ|O\\ ʘ|P ʋ|Q ɒ|R ʁ|R\\ ʀ
S ʃ|T θ|U ʊ|U\\ ᵿ|V ʌ|W ʍ|X χ|X\\ ħ|Y ʏ|Z ʒ
" ˈ|% ˌ|' ʲ|: ː|:\\ ˑ|@ ə|@\` ɚ|@\\ ɘ|{ æ|} ʉ|1 ɨ|2 ø|3 ɜ|3\` ɝ|3\\ ɞ|4 ɾ|5 ɫ|6 ɐ|7 ɤ|8 ɵ|9 œ|& ɶ|? ʔ|?\\ ʕ|<\\ ʢ|>\\ ʡ|!\\ ǃ|=\\ ǂ|^ ꜛ|! ꜜ
=  ̩|~  ̃|_~  ̃|_=  ̩|_0  ̥|_v  ̬|_h ʰ|_w ʷ|_j ʲ|_G ˠ|_?\\ ˤ|_d  ̪|_a  ̺|_m  ̻|_N  ̼|_}  ̚|_>  ʼ|_+  ̟|_-  ̠|_"  ̈|_x  ̽|_o  ̞|_r  ̝|_A  ̘|_q  ̙|_c  ̜|_O  ̹|_t  ̤|_k  ̰|_e  ̴|_^  ̯|_l  ˡ|_n  ⁿ
`
    .trim()
    .split(/[|\n]/)
    .map((row): [string, string] => [row.slice(0, row.indexOf(' ')), row.slice(row.indexOf(' ')).trim()]),
)
const LONGEST_SYMBOL = 4
/** Signs that separate syllables, words and rhythmic groups, and are not spoken. */
const SEPARATORS = /^[.\-\s|]$/

/** Null for a text with a sign that is none of X-SAMPA. */
export function ipaOfXSampa(text: string): string | null {
  const symbols: string[] = []
  for (let at = 0; at < text.length; ) {
    if (SEPARATORS.test(text[at]!)) {
      if (/\s/.test(text[at]!)) symbols.push(' ')
      at++
      continue
    }
    const length = longestAt(text, at)
    if (length === 0) return null
    symbols.push(TABLE.get(text.slice(at, at + length))!)
    at += length
  }
  return symbols.join('').trim()
}

function longestAt(text: string, at: number): number {
  for (let length = LONGEST_SYMBOL; length > 0; length--)
    if (at + length <= text.length && TABLE.has(text.slice(at, at + length))) return length
  return 0
}
