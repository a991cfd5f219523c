// The symbols that KittenTTS learned, and how a text in IPA becomes their numbers. Pure.

const PAD = '$'
const PUNCTUATION = ';:,.!?¡¿—…"«»“” '
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const IPA = "ɑɐɒæɓʙβɔɕçɗɖðʤəɘɚɛɜɝɞɟʄɡɠɢʛɦɧħɥʜɨɪʝɭɬɫɮʟɱɯɰŋɳɲɴøɵɸθœɶʘɹɺɾɻʀʁɽʂʃʈʧʉʊʋⱱʌɣɤʍχʎʏʑʐʒʔʡʕʢǀǁǂǃˈˌːˑʼʴʰʱʲʷˠˤ˞↓↑→↗↘'\u0329'ᵻ"

// The apostrophe stands twice in the published table; the later number is the one that was trained.
const NUMBERS = new Map([...PAD, ...PUNCTUATION, ...LETTERS, ...IPA].map((symbol, id): [string, number] => [symbol, id]))
export const SYMBOLS = 1 + [...PUNCTUATION].length + LETTERS.length + [...IPA].length
/** What every text is closed with, before the pad. */
const CLOSING = NUMBERS.get('…')!

const TOKEN = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu

/** Words and marks apart by single blanks, between pads; symbols that are not in the table are left out. */
export function toKittenIds(ipa: string): number[] {
  const spaced = (ipa.match(TOKEN) ?? []).join(' ')
  return [0, ...[...spaced].flatMap((symbol) => NUMBERS.get(symbol) ?? []), CLOSING, 0]
}

/** A piece without an end would be cut off short. */
export const withEndPunctuation = (piece: string): string => (/[.!?,;:…]["”»')\]]*$/.test(piece) ? piece : `${piece},`)
