// German numbers. Pure.
import type { Gender } from '../language.ts'
import { thousandGroups } from '../thousand-groups.ts'

const ONES =
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  )
const TENS = ' zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ')
const SCALES = ['', '', 'Million', 'Milliarde', 'Billion']
const IRREGULAR: Readonly<Record<number, string>> = { 1: 'erste', 3: 'dritte', 7: 'siebte', 8: 'achte' }

/** The form that ends in "ein". */
function below1000(value: number): string {
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100]
  const tens = rest < 20 ? (rest ? ONES[rest]! : '') : `${rest % 10 ? `${ONES[rest % 10]}und` : ''}${TENS[Math.trunc(rest / 10)]}`
  return `${hundreds ? `${ONES[hundreds]}hundert` : ''}${tens}`
}

/** Before a noun with a gender, else standing alone. */
export function germanCardinal(value: number, gender?: Gender): string {
  if (value === 0) return ONES[0]!
  if (value === 1 && gender) return gender === 'f' ? 'eine' : 'ein'
  const large: string[] = []
  let small = ''
  for (const { group, scale } of thousandGroups(value)) {
    if (group === 0) continue
    if (scale >= 2) large.push(group === 1 ? `eine ${SCALES[scale]}` : `${below1000(group)} ${SCALES[scale]}${scale === 3 ? 'n' : 'en'}`)
    else small += scale === 1 ? `${below1000(group)}tausend` : below1000(group)
  }
  const ending = value % 100 === 1 && !gender ? 's' : ''
  return [...large, ...(small ? [`${small}${ending}`] : [])].join(' ')
}

/** The form that ends in -e, as after "der". */
export function germanOrdinal(value: number): string {
  const rest = value % 100
  const words = germanCardinal(value, 'm')
  const irregular = IRREGULAR[rest]
  if (irregular) return `${value > 100 ? germanCardinal(value - rest, 'm') : ''}${irregular}`
  return `${words}${rest > 0 && rest < 20 ? 'te' : 'ste'}`
}

export function germanYear(value: number): string {
  if (value < 1100 || value > 1999) return germanCardinal(value)
  const rest = value % 100
  return `${ONES[Math.trunc(value / 100)]}hundert${rest ? germanCardinal(rest) : ''}`
}
