// Splits text into sentences, aware of abbreviations. Pure, without a model or a dictionary.

/** Made with the first text, because that takes 10 ms. */
let segmenter: Intl.Segmenter | null = null

// A full stop after these does not end a sentence, even before a capital. "etc." and "p.m." are missing because before a capital they do.
const OPEN = new Set(
  (
    'Mr Mrs Ms Mx Dr Prof Rev Fr Hon Gen Col Maj Capt Lt Sgt Cpl Gov Sen Rep Pres St Mt Ft Messrs Mmes ' +
    'e.g i.e cf vs viz approx incl esp resp al ca Jan Feb Apr Aug Sept Sep Oct Nov Dec'
  ).split(' '),
)
const OPEN_BEFORE_NUMBER = new Set('no nos vol ch sec fig figs eq p pp art nr'.split(' '))
const INITIALS = /^[A-Z](?:\.[A-Z])*$/
/** In UTF-16 units; longer words are no abbreviations. */
const MAX_ABBREVIATION = 32

/** The word before the full stop at the end of `tail`; '' without one. */
function lastWord(tail: string): string {
  const trimmed = tail.trimEnd()
  if (!trimmed.endsWith('.')) return ''
  const start = Math.max(...[' ', '(', '"', "'", '['].map((mark) => trimmed.lastIndexOf(mark)))
  return trimmed.slice(start + 1, -1)
}

function continues(tail: string, after: string): boolean {
  if (/^[a-z]/.test(after)) return true
  const word = lastWord(tail)
  return OPEN.has(word) || INITIALS.test(word) || (/^\d/.test(after) && OPEN_BEFORE_NUMBER.has(word.toLowerCase()))
}

/** Non-empty sentences without line breaks, in order. A blank line always ends a sentence, a line break never. */
export function toSentences(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  const english = segmenter
  return text.split(/\n[ \t]*\n\s*/).flatMap((paragraph) => {
    const sentences: string[][] = []
    // Only the end of the last sentence is inspected: a whole one that grows by an abbreviation at a time would be read again each time.
    let tail = ''
    for (const { segment } of english.segment(paragraph.replace(/\s+/g, ' ').trim())) {
      const last = sentences.at(-1)
      if (last && continues(tail, segment)) last.push(segment)
      else {
        sentences.push([segment])
        tail = ''
      }
      tail = (tail + segment.slice(-MAX_ABBREVIATION)).slice(-MAX_ABBREVIATION)
    }
    return sentences.map((parts) => parts.join('').trim()).filter((sentence) => sentence !== '')
  })
}
