// The symbol table of KittenTTS and the conversion of IPA text to symbol ids. Pure.

const PAD = '$'
const PUNCTUATION = ';:,.!?¡¿—…"«»“” '
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const IPA = "ɑɐɒæɓʙβɔɕçɗɖðʤəɘɚɛɜɝɞɟʄɡɠɢʛɦɧħɥʜɨɪʝɭɬɫɮʟɱɯɰŋɳɲɴøɵɸθœɶʘɹɺɾɻʀʁɽʂʃʈʧʉʊʋⱱʌɣɤʍχʎʏʑʐʒʔʡʕʢǀǁǂǃˈˌːˑʼʴʰʱʲʷˠˤ˞↓↑→↗↘'\u0329'ᵻ"

// The apostrophe occurs twice in the published table; the model was trained with the later id.
const NUMBERS = new Map([...PAD, ...PUNCTUATION, ...LETTERS, ...IPA].map((symbol, id): [string, number] => [symbol, id]))
export const SYMBOLS = 1 + [...PUNCTUATION].length + LETTERS.length + [...IPA].length
/** The symbol that ends every text, before the padding. */
const CLOSING = NUMBERS.get('…')!

const TOKEN = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu

/** Words and marks separated by single blanks, between padding. Symbols that are not in the table are left out. */
export function toKittenIds(ipa: string): number[] {
  const spaced = (ipa.match(TOKEN) ?? []).join(' ')
  return [0, ...[...spaced].flatMap((symbol) => NUMBERS.get(symbol) ?? []), CLOSING, 0]
}

/** Adds a comma to a piece without end punctuation; the model would cut off its last sound. */
export const withEndPunctuation = (piece: string): string => (/[.!?,;:…]["”»')\]]*$/.test(piece) ? piece : `${piece},`)
