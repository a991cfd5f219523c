// Measures the room that texts take on a line. Pure.

/** Widths of a line are counted in letters of the language: in Chinese, Japanese and Korean a wide character is one. */
export type LineLimits = {
  readonly line: number
  readonly lines: number
  /** Letters a second that people read. */
  readonly perSecond: number
  readonly wide: number
  readonly narrow: number
}

const USUAL: LineLimits = { line: 42, lines: 2, perSecond: 17, wide: 2, narrow: 1 }
const LIMITS: Readonly<Record<string, LineLimits>> = {
  zh: { line: 16, lines: 2, perSecond: 9, wide: 1, narrow: 0.5 },
  ja: { line: 13, lines: 2, perSecond: 4, wide: 1, narrow: 0.5 },
  ko: { line: 16, lines: 2, perSecond: 12, wide: 1, narrow: 0.5 },
}
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/** Digits and `#` are pictographs only together with others. */
const PLAIN = /^[\x20-\x7e]$/
/** Made with the first text, because that takes 10 ms. */
let graphemes: Intl.Segmenter | null = null

/** `language`: a tag such as `ja` or `pt-BR`. */
export function lineLimitsOf(language: string): LineLimits {
  const short = language.toLowerCase().split(/[-_]/, 1)[0]!
  return Object.hasOwn(LIMITS, short) ? LIMITS[short]! : USUAL
}

/** Characters as a reader sees them: a letter with its marks, an emoji with its parts. */
export function graphemesOf(text: string): string[] {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

export function widthOf(text: string, { wide, narrow }: LineLimits): number {
  let sum = 0
  for (const one of graphemesOf(text)) sum += !PLAIN.test(one) && WIDE.test(one) ? wide : narrow
  return sum
}
