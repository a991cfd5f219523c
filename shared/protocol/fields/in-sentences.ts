// Texts of different origin as one: a text without a full stop would run into the next one. Pure.

/** The end of a sentence, also within quotes or brackets. */
const ENDED = /[.!?…。！？][)\]"'”’»]*$/u

/** Each ends before the next begins; empty and repeated ones are left out. */
export function inSentences(...texts: readonly (string | null | undefined | false)[]): string {
  const parts = new Set(texts.flatMap((text) => (text ? text.trim() : '') || []))
  return [...parts].map((text, at) => (at < parts.size - 1 && !ENDED.test(text) ? `${text}.` : text)).join(' ')
}
