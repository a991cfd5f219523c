// Unicode normalisation of foreign text. The time of String.normalize() grows with the square of a run of combining marks: 100,000 of them take
// eight seconds. No text has long runs; in those that do, a grapheme joiner after every 30 marks ends the run (Stream-Safe Text Format, UAX #15).

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

const LONG_RUN = /\p{M}{30}(?=\p{M})/gu
const JOINER = '\u034f'
/** Characters before this are their own composition, and combine with none before them. */
const SIMPLE = /^[\0-\u02ff]*$/

/** The text in a normalisation form, by default with composed characters. Takes time in proportion to its length. */
export function composed(text: string, form: Form = 'NFC'): string {
  if (form === 'NFC' && SIMPLE.test(text)) return text
  return text.replaceAll(LONG_RUN, `$&${JOINER}`).normalize(form)
}
