// Splits text into sentences, aware of abbreviations. Pure, without a model or a dictionary.

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

// A full stop after these does not end a sentence, even before a capital. "etc." and "p.m." are missing because before a capital they do.
const TITLES = 'Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Fr|Hon|Gen|Col|Maj|Capt|Lt|Sgt|Cpl|Gov|Sen|Rep|Pres|St|Mt|Ft|Messrs|Mmes'
const INSIDE = 'e\\.g|i\\.e|cf|vs|viz|approx|incl|esp|resp|al|ca|Jan|Feb|Apr|Aug|Sept|Sep|Oct|Nov|Dec'
const COUNTED = 'No|Nos|Vol|Ch|Sec|Fig|Figs|Eq|p|pp|Art|Nr'
const OPEN = new RegExp(`(?:^|[\\s("'\\[])(?:${TITLES}|${INSIDE}|[A-Z](?:\\.[A-Z])*)\\.\\s*$`)
const OPEN_BEFORE_NUMBER = new RegExp(`(?:^|[\\s("'\\[])(?:${COUNTED})\\.\\s*$`, 'i')

const continues = (before: string, after: string): boolean =>
  OPEN.test(before) || (OPEN_BEFORE_NUMBER.test(before) && /^\d/.test(after)) || /^[a-z]/.test(after)

/** Non-empty sentences without line breaks, in order. A blank line always ends a sentence, a line break never. */
export function toSentences(text: string): string[] {
  return text.split(/\n[ \t]*\n\s*/).flatMap((paragraph) => {
    const sentences: string[] = []
    for (const { segment } of segmenter.segment(paragraph.replace(/\s+/g, ' ').trim())) {
      const last = sentences.length - 1
      if (last >= 0 && continues(sentences[last]!, segment)) sentences[last] += segment
      else sentences.push(segment)
    }
    return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')
  })
}
