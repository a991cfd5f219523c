// Arithmetic and the sides of an area, in figures. Pure.
import { isDigit, readAmount, sayAmount, sayCounted } from '../amounts.ts'
import type { Language } from '../language.ts'
import { matchAt, type Replacement } from '../match.ts'
import { unitAt } from './units.ts'

const SIDE = /(?:[x×]|[ \u00a0\u202f][x×][ \u00a0\u202f])(?=\d)/y
/** The sides of an area or a room: "25 x 7 m", "2x4x8". Null without a second side, and for a product with its result. */
export function saySides(text: string, at: number, language: Language): Replacement | null {
  const first = readAmount(text, at, language)
  // "0x30" is a hexadecimal number, and "s390x 128" has a code.
  if (first.amount.whole === '0' || /[\p{L}\p{M}]$/u.test(text.slice(Math.max(0, at - 2), at))) return null
  let { end } = first
  const words = [sayAmount(first.amount, language)]
  for (let joint = matchAt(SIDE, text, end); joint && words.length < MAX_TERMS; joint = matchAt(SIDE, text, end)) {
    const next = readAmount(text, end + joint[0].length, language)
    const unit = unitAt(text, next.end, language)
    words.push(unit ? sayCounted(next.amount, unit.noun, language) : sayAmount(next.amount, language))
    end = unit?.end ?? next.end
  }
  return words.length === 1 || /^ ?=/.test(text.slice(end, end + 2)) ? null : { words: words.join(` ${language.say.by} `), end }
}

const OPERATOR = /[ \u00a0\u202f]?([+=×*÷−-])[ \u00a0\u202f]?/y
const TERM = /\d{1,9}(?:[.,]\d{1,9})?|[a-z](?![\p{L}\p{M}])/uy
const MAX_TERMS = 12
/** Arithmetic with an equals sign, a sum or a product: "2 + 3", "1-2=5", "2*8"; null for a range or a code. */
export function sayArithmetic(text: string, at: number, language: Language): Replacement | null {
  const words: string[] = []
  let end = at
  let operators = ''
  while (words.length < 2 * MAX_TERMS) {
    const term = matchAt(TERM, text, end)
    if (!term) break
    const number = isDigit(term[0][0]) ? readAmount(text, end, language) : null
    words.push(number ? sayAmount(number.amount, language) : term[0])
    end = number?.end ?? end + term[0].length
    const operator = matchAt(OPERATOR, text, end)
    if (!operator || !matchAt(TERM, text, end + operator[0].length)) break
    operators += operator[1]!
    words.push(language.operators[operator[1]!]!)
    end += operator[0].length
  }
  // "18+ a must" has no variable: letters belong to equations.
  const isEquation = operators.includes('=') || words.every((word, index) => index % 2 === 1 || !/^[a-z]$/.test(word))
  return /[+=×*÷]/.test(operators) && isEquation ? { words: words.join(' '), end } : null
}
