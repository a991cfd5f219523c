// Cuts English text into tokens as the tokenizer of spaCy does (its rules and its table of special cases are facts of the training data):
// marks come off both ends of what stands between two blanks, and hyphens, slashes and dots cut the inside. Pure.

export type Token = {
  readonly text: string
  /** True if a blank follows. */
  readonly isSpaced: boolean
  /** Given with the text; null: to be found. */
  readonly phonemes: string | null
}
/** A word that is written in one piece and read in several, such as "don't". */
export type SpecialCases = ReadonlyMap<string, readonly string[]>

const QUOTES = '\'"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉'
const MARKS = '…,:;!?¿¡()[]{}<>_#*&。？！，、；：～·'
const SIGNS = '™®©°§¶†‡•'
const OPENING = new Set(`§%=—–$£€¥₩₹${MARKS}${QUOTES}${SIGNS}`)
const CLOSING = new Set(`—–${MARKS}${QUOTES}${SIGNS}`)
/** Characters before a full stop that is no part of an abbreviation. */
const BEFORE_STOP = new Set(`%²-+${MARKS}${QUOTES}`)
const SMALL_OR_DIGIT = /[0-9a-zß-öø-ÿ]/
const TWO_CAPITALS = /[A-ZÀ-ÖØ-Þ]{2}$/
const POSSESSIVE = /['’][sS]$/
/** Address of a page or a mailbox. */
const ADDRESS =
  /^(?:(?:https?|ftp):\/\/|www\.)\S|^[\w.+-]+@[\w-]+\.[\w.-]+$|^(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|co|uk|de|fr|info|biz|us|ca|au|tv|me|ly|ai)(?:\/\S*)?$/i
/** Inside: dots, a full stop or a comma between letters, hyphens, dashes and slashes before a letter. */
const INSIDE =
  /\.{2,64}|[…™®©°§¶†‡•]|(?<=[a-zß-öø-ÿ'"”“‘’,])\.(?=[A-ZÀ-ÖØ-Þ'"”“‘’,])|(?<=\p{L}),(?=\p{L})|(?<=[\p{L}\p{N}])(?:---?|——|[-–—~:<>=/])(?=\p{L})/gu
export const isWebAddress = (text: string): boolean => ADDRESS.test(text)
/** Longer stretches without a blank are no words; they are cut so that no rule reads them twice. */
const LONGEST_CHUNK = 200
const MAX_JOINED = 3

export function toTokens(text: string, special: SpecialCases): Token[] {
  const endsInBlank = /\s$/.test(text)
  return (text.match(/\S{1,200}/g) ?? []).flatMap((chunk, index, chunks) => {
    const texts = tokensOf(chunk, special)
    const isSpaced = index < chunks.length - 1 ? chunk.length < LONGEST_CHUNK : endsInBlank
    return texts.map((token, at): Token => ({ text: token, isSpaced: isSpaced && at === texts.length - 1, phonemes: null }))
  })
}

function tokensOf(chunk: string, special: SpecialCases): string[] {
  const before: string[] = []
  const after: string[] = []
  let rest = chunk
  while (rest !== '' && !special.has(rest)) {
    const head = headLength(rest)
    const tail = tailLength(rest.slice(head))
    const [mark, ending] = [rest.slice(0, head), rest.slice(rest.length - tail)]
    const [withoutMark, withoutEnding] = [rest.slice(head), rest.slice(0, rest.length - tail)]
    if (head > 0 && special.has(withoutMark)) {
      before.push(mark)
      rest = withoutMark
    } else if (tail > 0 && special.has(withoutEnding)) {
      after.push(ending)
      rest = withoutEnding
    } else if (head + tail > 0) {
      if (head > 0) before.push(mark)
      if (tail > 0) after.push(ending)
      rest = rest.slice(head, rest.length - tail)
    } else break
  }
  const inner = rest === '' ? [] : (special.get(rest) ?? (ADDRESS.test(rest) ? [rest] : cutInside(rest)))
  return joinSpecial([...before, ...inner, ...after.reverse()], special)
}

/** Length of the mark at the start; 0 without one. */
function headLength(text: string): number {
  const dots = /^\.{2,}/.exec(text)?.[0].length
  return dots ?? (OPENING.has(text[0] ?? '') || /^\+(?!\d)/.test(text) ? 1 : 0)
}

/** Length of the mark or the possessive at the end; 0 without one. */
function tailLength(text: string): number {
  if (text === '') return 0
  let dots = 0
  while (text.at(-1 - dots) === '.') dots++
  if (dots > 1) return dots
  if (dots === 1) {
    const before = text.at(-2) ?? ''
    return SMALL_OR_DIGIT.test(before) || BEFORE_STOP.has(before) || TWO_CAPITALS.test(text.slice(-3, -1)) ? 1 : 0
  }
  if (POSSESSIVE.test(text.slice(-2))) return 2
  return CLOSING.has(text.at(-1)!) ? 1 : 0
}

function cutInside(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  for (const { 0: mark, index } of text.matchAll(INSIDE)) {
    if (index === 0) continue
    pieces.push(text.slice(from, index), mark)
    from = index + mark.length
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '')
}

/** Neighbours that together are a special case, such as "Sept" and ".", become one again. */
function joinSpecial(texts: readonly string[], special: SpecialCases): string[] {
  const joined: string[] = []
  for (let at = 0; at < texts.length; ) {
    let count = Math.min(MAX_JOINED, texts.length - at)
    while (count > 1 && !special.has(texts.slice(at, at + count).join(''))) count--
    const whole = texts.slice(at, at + count).join('')
    joined.push(...(count > 1 ? special.get(whole)! : [whole]))
    at += count
  }
  return joined
}
