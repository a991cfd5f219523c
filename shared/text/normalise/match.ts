// The mechanism that the rules share: a match at a place of the text, and its replacement.

/** Words in place of the text up to `end`. */
export type Replacement = { readonly words: string; readonly end: number }

/** The match of a sticky expression at `at`. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}
