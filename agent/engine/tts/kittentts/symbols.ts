// The symbol table of KittenTTS and the conversion of IPA text to symbol ids. Pure.

const PAD = '$'
// The published table has the straight quotation mark three times and no curly one.
const PUNCTUATION = ';:,.!?¡¿—…"«»"" '
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const IPA = "ɑɐɒæɓʙβɔɕçɗɖðʤəɘɚɛɜɝɞɟʄɡɠɢʛɦɧħɥʜɨɪʝɭɬɫɮʟɱɯɰŋɳɲɴøɵɸθœɶʘɹɺɾɻʀʁɽʂʃʈʧʉʊʋⱱʌɣɤʍχʎʏʑʐʒʔʡʕʢǀǁǂǃˈˌːˑʼʴʰʱʲʷˠˤ˞↓↑→↗↘'\u0329'ᵻ"

// Of a symbol that occurs more than once, the model was trained with the last id.
const NUMBERS = new Map([...PAD, ...PUNCTUATION, ...LETTERS, ...IPA].map((symbol, id): [string, number] => [symbol, id]))
export const SYMBOLS = 1 + [...PUNCTUATION].length + LETTERS.length + [...IPA].length
/** The symbol that ends every text, before the padding. */
const CLOSING = NUMBERS.get('…')!
const BLANK = NUMBERS.get(' ')!
const COMMA = NUMBERS.get(',')!

/** Most ids of a run, padding included. Beyond its limit the network fails ("invalid expand shape"); a voice has 400 styles by length. */
export const MAX_RUN_IDS = 400
const PADDING_IDS = 3

const TOKEN = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu

/**
 * The ids of a text in runs of at most MAX_RUN_IDS; more than one only where numbers and symbols become much longer as phonemes. Words and marks
 * are separated by single blanks; symbols that are not in the table are left out. A run that ends inside the text gets a comma, like a piece
 * without end punctuation.
 */
export function toKittenRuns(ipa: string): number[][] {
  const spaced = (ipa.match(TOKEN) ?? []).join(' ')
  const symbols = [...spaced].flatMap((symbol) => NUMBERS.get(symbol) ?? [])
  const runs: number[][] = []
  const add = (ids: readonly number[]) => runs.push([0, ...ids, CLOSING, 0])
  const most = MAX_RUN_IDS - PADDING_IDS
  let from = 0
  while (symbols.length - from > most) {
    // Room for a blank and the comma.
    const room = symbols.slice(from, from + most - 2)
    const blank = room.lastIndexOf(BLANK)
    const part = blank > 0 ? room.slice(0, blank) : room
    add([...part, BLANK, COMMA])
    from += part.length + (blank > 0 ? 1 : 0)
  }
  add(symbols.slice(from))
  return runs
}

/** Adds a comma to a piece that ends with no punctuation of the list; the model would cut off its last sound. */
export const withEndPunctuation = (piece: string): string => (/[.!?,;:]$/.test(piece) ? piece : `${piece},`)
