// Italian numbers. Pure.
import type { Gender } from '../language.ts'
import { thousandGroups } from '../thousand-groups.ts'

const ONES =
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove'.split(
    ' ',
  )
const TENS = '  venti trenta quaranta cinquanta sessanta settanta ottanta novanta'.split(' ')
const SCALES = ['', '', 'milione', 'miliardo', 'bilione']
const ORDINALS = ' primo secondo terzo quarto quinto sesto settimo ottavo nono decimo'.split(' ')

function below1000(value: number): string {
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100]
  const one = rest % 10
  const tens = rest < 20 ? '' : TENS[Math.trunc(rest / 10)]!
  const tail = rest < 20 ? (rest ? ONES[rest]! : '') : one === 0 ? tens : `${one === 1 || one === 8 ? tens.slice(0, -1) : tens}${ONES[one]}`
  return `${hundreds > 1 ? ONES[hundreds] : ''}${hundreds ? 'cento' : ''}${tail}`
}

export function italianCardinal(value: number, gender?: Gender): string {
  if (value === 0) return ONES[0]!
  if (value === 1 && gender) return gender === 'f' ? 'una' : 'un'
  const large: string[] = []
  let small = ''
  for (const { group, scale } of thousandGroups(value)) {
    if (group === 0) continue
    if (scale >= 2) large.push(group === 1 ? `un ${SCALES[scale]}` : `${below1000(group)} ${SCALES[scale]!.slice(0, -1)}i`)
    else small += scale === 1 ? (group === 1 ? 'mille' : `${below1000(group)}mila`) : below1000(group)
  }
  const accented = value % 10 === 3 && value > 10 && value % 100 !== 13 ? small.replace(/tre$/, 'tré') : small
  return [...large, ...(accented ? [accented] : [])].join(' ')
}

export function italianOrdinal(value: number, gender?: Gender): string {
  const words = italianCardinal(value)
  const stem = value % 10 === 3 || value % 10 === 6 ? words.replace(/tré$/, 'tre') : words.slice(0, -1)
  const masculine = ORDINALS[value] || `${value % 100 === 13 || value % 100 === 16 ? words.slice(0, -1) : stem}esimo`
  return gender === 'f' ? `${masculine.slice(0, -1)}a` : masculine
}
