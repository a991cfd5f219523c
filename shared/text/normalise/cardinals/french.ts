// French numbers. Pure.
import type { Gender } from '../language.ts'
import { thousandGroups } from '../thousand-groups.ts'

const ONES =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(' ')
const TENS = ' dix vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ')
const SCALES = ['', 'mille', 'million', 'milliard', 'billion']

function below100(value: number): string {
  if (value < 20) return ONES[value]!
  const tens = Math.trunc(value / 10)
  const rest = value - (tens === 7 || tens === 9 ? tens - 1 : tens) * 10
  if (rest === 0) return tens === 8 ? 'quatre-vingts' : TENS[tens]!
  return `${TENS[tens]}${(rest === 1 || rest === 11) && tens < 8 ? ' et ' : '-'}${ONES[rest]}`
}

function below1000(value: number): string {
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100]
  if (hundreds === 0) return below100(rest)
  const head = hundreds === 1 ? 'cent' : `${ONES[hundreds]} cent${rest ? '' : 's'}`
  return rest ? `${head} ${below100(rest)}` : head
}

export function frenchCardinal(value: number, gender?: Gender): string {
  if (value === 0) return ONES[0]!
  const words = thousandGroups(value)
    .flatMap(({ group, scale }) => {
      if (group === 0) return []
      if (scale === 0) return [below1000(group)]
      // "quatre-vingts" and "cents" lose their s before "mille", which is no noun.
      if (scale === 1)
        return [
          group === 1
            ? 'mille'
            : `${below1000(group).replace(/s$/, (s) => (group % 100 === 80 || (group % 100 === 0 && group > 100) ? '' : s))} mille`,
        ]
      return [`${below1000(group)} ${SCALES[scale]}${group > 1 ? 's' : ''}`]
    })
    .join(' ')
  return gender === 'f' && /(?:^|[ -])un$/.test(words) ? `${words}e` : words
}

export function frenchOrdinal(value: number, gender?: Gender): string {
  if (value === 1) return gender === 'f' ? 'première' : 'premier'
  const words = frenchCardinal(value)
  if (/(?:vingts|cents)$/.test(words)) return `${words.slice(0, -1)}ième`
  if (words.endsWith('cinq')) return `${words}uième`
  if (words.endsWith('neuf')) return `${words.slice(0, -1)}vième`
  return `${words.endsWith('e') ? words.slice(0, -1) : words}ième`
}
