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

/** Up to 99, as larger ones are not in use. */
export function spanishOrdinal(value: number, gender?: Gender): string {
  if (value < 1 || value > 99) return spanishCardinal(value, gender)
  const rest = value % 10
  const words =
    value <= 12
      ? ORDINAL_ONES[value]!
      : value < 20
        ? `decimo${ORDINAL_ONES[rest]}`
        : `${ORDINAL_TENS[Math.trunc(value / 10)]}${rest ? ` ${ORDINAL_ONES[rest]}` : ''}`
  return gender === 'f' ? words.replace(/o(?= |$)/g, 'a') : words
}
