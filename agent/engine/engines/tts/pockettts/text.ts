// Prepares text for Pocket-TTS: a sentence that starts with a capital letter and ends with punctuation. Pure.

export type TextRules = {
  readonly remove_semicolons: boolean
  readonly pad_with_spaces_for_short_inputs: boolean
  readonly model_recommended_frames_after_eos: number | null
}
const FEW_WORDS = 4
const PADDING = ' '.repeat(8)

/** `tail`: frames to generate after the model has signalled the end; short texts need more, or their last sound is lost. */
export function preparedText(piece: string, rules: TextRules): { readonly text: string; readonly tail: number } {
  const plain = (rules.remove_semicolons ? piece.replaceAll(';', ',') : piece).replace(/\s+/g, ' ').trim()
  const words = plain.split(' ').length
  const [first = ''] = plain
  const sentence = `${first.toUpperCase()}${plain.slice(first.length)}${/[\p{L}\p{N}]$/u.test(plain) ? '.' : ''}`
  const text = rules.pad_with_spaces_for_short_inputs && words <= FEW_WORDS ? PADDING + sentence : sentence
  return { text, tail: rules.model_recommended_frames_after_eos ?? (words <= FEW_WORDS ? 5 : 3) }
}
