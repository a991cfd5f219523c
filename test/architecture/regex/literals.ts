// Finds the regular expression literals of a TypeScript or JavaScript source, and the calls that build an expression at run time.

export type RegexLiteral = { readonly line: number; readonly source: string; readonly flags: string }
export type RegexUses = { readonly literals: readonly RegexLiteral[] /** Lines with `RegExp(`. */; readonly built: readonly number[] }

/** After these words a slash starts an expression; after any other word it divides. */
const BEFORE_EXPRESSION = new Set('return typeof case in of delete void throw new else do yield await'.split(' '))

export function regexUses(text: string): RegexUses {
  const literals: RegexLiteral[] = []
  const built: number[] = []
  /** Braces that are open in each `${` of a template. */
  const templates: number[] = []
  let line = 1
  let at = 0
  let before = '' // the last token: a word or one character
  let beforeThat = ''
  const token = (next: string) => {
    beforeThat = before
    before = next
  }
  const skipTo = (end: number) => {
    for (; at < end; at++) if (text[at] === '\n') line++
  }
  const template = () => {
    while (at < text.length && text[at] !== '`') {
      if (text[at] === '\\') skipTo(at + 2)
      else if (text.startsWith('${', at)) {
        at += 2
        templates.push(0)
        return token('{')
      } else skipTo(at + 1)
    }
    at++
    token('"')
  }
  while (at < text.length) {
    const char = text[at]!
    if (text.startsWith('//', at)) skipTo(endOf(text, '\n', at))
    else if (text.startsWith('/*', at)) skipTo(endOf(text, '*/', at + 2) + 2)
    else if (char === '"' || char === "'") {
      at++
      while (at < text.length && text[at] !== char && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
      at++
      token('"')
    } else if (char === '`') {
      at++
      template()
    } else if (char === '/' && startsExpression(before, beforeThat)) {
      const end = endOfExpression(text, at)
      const flags = /^[a-z]{0,10}/.exec(text.slice(end, end + 10))![0]
      literals.push({ line, source: text.slice(at + 1, end - 1), flags })
      at = end + flags.length
      token('"')
    } else if (/[\w$]/.test(char)) {
      const from = at
      while (/[\w$]/.test(text[at] ?? '')) at++
      const word = text.slice(from, at)
      if (word === 'RegExp' && text[at] === '(') built.push(line)
      token(word)
    } else {
      const open = templates.length - 1
      if (char === '{' && open >= 0) templates[open]!++
      if (char === '}' && open >= 0 && templates[open]!-- === 0) {
        templates.pop()
        at++
        template()
        continue
      }
      if (!/\s/.test(char)) token(char)
      skipTo(at + 1)
    }
  }
  return { literals, built }
}

const endOf = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found
}

function startsExpression(before: string, beforeThat: string): boolean {
  if (before === '!') return !/^[\w$)\]]+$/.test(beforeThat) // a non-null assertion divides
  return BEFORE_EXPRESSION.has(before) || !/^[\w$)\]"]/.test(before)
}

function endOfExpression(text: string, from: number): number {
  let inClass = false
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') inClass = true
    else if (text[at] === ']') inClass = false
    else if (text[at] === '/' && !inClass) return at + 1
  }
  throw new Error(`A regular expression does not end: ${text.slice(from, from + 60)}`)
}
