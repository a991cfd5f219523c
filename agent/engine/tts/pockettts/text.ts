// Prepares text for Pocket-TTS: without characters that its training data does not have, with a capital letter at the start and the mark of a
// sentence at the end. Source: `prepare_text_prompt` of pocket-tts 4.0.1. Pure.

export type TextRules = {
  readonly remove_semicolons: boolean
  readonly pad_with_spaces_for_short_inputs: boolean
  readonly model_recommended_frames_after_eos: number | null
}
const FEW_WORDS = 4
const PADDING = ' '.repeat(8)
const SENTENCE_ENDS = new Set('.!?…')
const WEAK_ENDS = new Set(',;:-–—')
const CLOSING = new Set('"\'”’»)]')

/**
 * `replaced`: characters that the model of a language does not know, and what it reads instead. `tail`: frames to generate after the model has
 * signalled the end; short texts need more, or their last sound is lost.
 */
export function preparedText(
  piece: string,
  rules: TextRules,
  replaced: ReadonlyMap<string, string>,
): { readonly text: string; readonly tail: number } {
  const known = withoutStrayMarks(withSingleBlanks(Array.from(piece, (character) => replaced.get(character) ?? character).join('')))
  const plain = rules.remove_semicolons ? known.replaceAll(';', ',') : known
  const words = plain.split(' ').length
  const [first = ''] = plain
  const sentence = withEnd(`${first.toUpperCase()}${plain.slice(first.length)}`)
  const text = rules.pad_with_spaces_for_short_inputs && words <= FEW_WORDS ? PADDING + sentence : sentence
  return { text, tail: rules.model_recommended_frames_after_eos ?? (words <= FEW_WORDS ? 5 : 3) }
}

const withSingleBlanks = (text: string): string => text.split(/\s/).filter(Boolean).join(' ')

/** Without its quotes, `"Hi?", she said` is a sentence end with a comma behind it. */
const withoutStrayMarks = (text: string): string => text.replace(/([.!?…]) ?[,;:]/g, '$1')

/**
 * The model was trained on whole sentences; without a mark at the end, the last word is often mispronounced or repeated. Marks that announce
 * more are replaced, also behind the closing quotes.
 */
function withEnd(text: string): string {
  const core = trimmedEnd(text, CLOSING)
  const last = core.at(-1)
  if (last === undefined || SENTENCE_ENDS.has(last)) return text
  if (!WEAK_ENDS.has(last)) return `${text}.`
  return `${trimmedEnd(core, WEAK_ENDS)}.${text.slice(core.length).trim()}`
}

/** The text without blanks and characters of `ends` at its end. */
function trimmedEnd(text: string, ends: ReadonlySet<string>): string {
  let length = text.length
  while (length > 0 && (text[length - 1] === ' ' || ends.has(text[length - 1]!))) length--
  return text.slice(0, length)
}
