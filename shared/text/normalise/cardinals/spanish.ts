// Spanish numbers. Pure.
import type { Gender } from '../language.ts'

const ONES =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  )
const TENS = '   treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ')
const HUNDREDS = ' ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(' ')
const ORDINAL_ONES = ' primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo'.split(' ')
const ORDINAL_TENS = ' décimo vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo'.split(' ')

function below1000(value: number): string {
  if (value === 100) return 'cien'
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100]
  const small = rest < 30 ? ONES[rest]! : `${TENS[Math.trunc(rest / 10)]}${rest % 10 ? ` y ${ONES[rest % 10]}` : ''}`
  return [hundreds ? HUNDREDS[hundreds] : '', rest ? small : ''].filter((part) => part !== '').join(' ')
}

/** "uno" and "veintiuno" before a noun. */
const shortened = (words: string): string => words.replace(/veintiuno$/, 'veintiún').replace(/uno$/, 'un')
const feminine = (words: string): string => words.replace(/uno$/, 'una').replace(/cientos|quinientos/g, (part) => `${part.slice(0, -2)}as`)

function below1e6(value: number): string {
  const [thousands, rest] = [Math.trunc(value / 1000), value % 1000]
  const head = thousands === 0 ? '' : thousands === 1 ? 'mil' : `${shortened(below1000(thousands))} mil`
  return [head, rest ? below1000(rest) : ''].filter((part) => part !== '').join(' ')
}

export function spanishCardinal(value: number, gender?: Gender): string {
  if (value === 0) return ONES[0]!
  const scaled = (count: number, one: string, many: string) =>
    count === 0 ? '' : count === 1 ? `un ${one}` : `${shortened(below1e6(count))} ${many}`
  const rest = value % 1e6
  const small = rest ? below1e6(rest) : ''
  const agreed = gender === 'f' ? feminine(small) : gender ? shortened(small) : small
  const parts = [
    scaled(Math.trunc(value / 1e12), 'billón', 'billones'),
    scaled(Math.trunc(value / 1e6) % 1e6, 'millón', 'millones'),
    agreed,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

const ORDINAL_HUNDREDS =
  ' centésimo ducentésimo tricentésimo cuadringentésimo quingentésimo sexcentésimo septingentésimo octingentésimo noningentésimo'.split(' ')
/** Ordinals up to 9,999; larger ones are said as cardinals. */
const MAX_ORDINAL = 9_999

function ordinalBelow100(value: number): string {
  const [tens, rest] = [Math.trunc(value / 10), value % 10]
  if (value <= 12) return ORDINAL_ONES[value]!
  if (value < 30 && rest > 0) return `${tens === 1 ? 'decimo' : 'vigesimo'}${ORDINAL_ONES[rest]}`.replace('oo', 'o')
  return `${ORDINAL_TENS[tens]}${rest ? ` ${ORDINAL_ONES[rest]}` : ''}`
}

/** `gender` 'n': the short form before a noun, "primer" and "tercer". */
export function spanishOrdinal(value: number, gender?: Gender): string {
  if (value < 1 || value > MAX_ORDINAL) return spanishCardinal(value, gender)
  const thousands = Math.trunc(value / 1000)
  const words = [
    thousands ? `${thousands > 1 ? ONES[thousands] : ''}milésimo` : '',
    ORDINAL_HUNDREDS[Math.trunc(value / 100) % 10],
    value % 100 ? ordinalBelow100(value % 100) : '',
  ]
    .filter((part) => part)
    .join(' ')
  return gender === 'f' ? words.replace(/o(?= |$)/g, 'a') : gender === 'n' ? words.replace(/(primer|tercer)o$/, '$1') : words
}

/** The part of a fraction: "onceavo", "centésimo". Null above a thousand and between hundreds. */
export function spanishPart(denominator: number): string | null {
  if (denominator <= 10 || (denominator % 100 === 0 && denominator <= 1000)) return spanishOrdinal(denominator)
  if (denominator > 99) return null
  const words = spanishCardinal(denominator).replace(/[áéíóú]/g, (vowel) => 'aeiou'['áéíóú'.indexOf(vowel)]!)
  // "treinta" and "treinta y uno" lose a vowel: "treintavo", "treintaiunavo".
  return `${words.replace('a y ', 'ai').replace(/uno$/, 'un').replace(/a$/, '')}avo`
}
