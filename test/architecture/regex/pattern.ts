// Parses the source of a regular expression into a tree.

export type Pattern =
  /** One character; `source` matches exactly one. */
  | { readonly kind: 'char'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly body: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' | 'boundary' }
  | { readonly kind: 'look'; readonly body: Pattern; readonly behind: boolean }

const QUANTIFIER = /^(?:[*+?]|\{(\d{1,6})(,?)(\d{0,6})\})\??/

export function parsePattern(source: string): Pattern {
  let at = 0
  let groups = 0
  const captured = new Map<string, Pattern>()
  const takes = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false
    at += text.length
    return true
  }

  function choice(): Pattern {
    const parts = [sequence()]
    while (takes('|')) parts.push(sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  function sequence(): Pattern {
    const parts: Pattern[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom()))
    return { kind: 'sequence', parts }
  }

  function quantified(body: Pattern): Pattern {
    const found = QUANTIFIER.exec(source.slice(at, at + 20))
    if (!found) return body
    at += found[0].length
    const [text, least, comma, most] = found
    if (least === undefined) return { kind: 'repeat', body, min: text[0] === '+' ? 1 : 0, max: text[0] === '?' ? 1 : Infinity }
    return { kind: 'repeat', body, min: Number(least), max: comma === '' ? Number(least) : most ? Number(most) : Infinity }
  }

  function group(): Pattern {
    for (const [mark, behind] of [
      ['?=', false],
      ['?!', false],
      ['?<=', true],
      ['?<!', true],
    ] as const)
      if (takes(mark)) return { kind: 'look', body: closed(), behind }
    if (takes('?:')) return closed()
    const names = [String(++groups)]
    if (takes('?<')) {
      const end = source.indexOf('>', at)
      names.push(source.slice(at, end))
      at = end + 1
    }
    const body = closed()
    for (const name of names) captured.set(name, body)
    return body
  }

  function closed(): Pattern {
    const body = choice()
    if (!takes(')')) throw new Error(`A group does not end: ${source}`)
    return body
  }

  function charClass(): Pattern {
    const from = at - 1
    for (let depth = 1; depth > 0; at++) {
      if (at >= source.length) throw new Error(`A class does not end: ${source}`)
      if (source[at] === '\\') at++
      else if (source[at] === ']') depth--
    }
    return { kind: 'char', source: source.slice(from, at) }
  }

  function escaped(): Pattern {
    const rest = source.slice(at)
    if (takes('b') || takes('B')) return { kind: 'boundary' }
    // A back reference counts as a copy of its group, which matches at least as much.
    const reference = /^(?:k<(\w{1,64})>|([1-9]\d?))/.exec(rest)
    if (reference) {
      at += reference[0].length
      return captured.get(reference[1] ?? reference[2]!) ?? { kind: 'sequence', parts: [] }
    }
    const named = /^(?:[pP]\{[^}]{1,64}\}|u\{[0-9a-fA-F]{1,8}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z])/.exec(rest)?.[0]
    const text = named ?? String.fromCodePoint(rest.codePointAt(0)!)
    at += text.length
    return { kind: 'char', source: `\\${text}` }
  }

  function atom(): Pattern {
    if (takes('(')) return group()
    if (takes('[')) return charClass()
    if (takes('\\')) return escaped()
    if (takes('^')) return { kind: 'start' }
    if (takes('$')) return { kind: 'end' }
    const char = String.fromCodePoint(source.codePointAt(at)!)
    at += char.length
    return { kind: 'char', source: /[\]{}]/.test(char) ? `\\${char}` : char }
  }

  const whole = choice()
  if (at < source.length) throw new Error(`A parenthesis is not open: ${source}`)
  return whole
}
