// English numbers. Pure. Without hyphens: phonemizers read "thirty-four" as one word.
import { thousandGroups } from '../thousand-groups.ts'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES = ['', ' thousand', ' million', ' billion', ' trillion']
const IRREGULAR: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

const below100 = (value: number): string =>
  value < 20 ? ONES[value]! : `${TENS[Math.trunc(value / 10)]}${value % 10 ? ` ${ONES[value % 10]}` : ''}`

function below1000(value: number, and: string): string {
  const rest = value % 100
  if (value < 100) return below100(value)
  return `${ONES[Math.trunc(value / 100)]} hundred${rest ? `${and} ${below100(rest)}` : ''}`
}

/** `hasAnd`: "one hundred and one" instead of "one hundred one". */
export function englishCardinal(value: number, hasAnd: boolean): string {
  const and = hasAnd ? ' and' : ''
  if (value === 0) return ONES[0]!
  const parts = thousandGroups(value).flatMap(({ group, scale, isLast }) => {
    if (group === 0) return []
    const needsAnd = hasAnd && isLast && value >= 1000 && group < 100
    return [`${needsAnd ? 'and ' : ''}${below1000(group, and)}${SCALES[scale]}`]
  })
  return parts.join(' ')
}

export function englishOrdinal(value: number, hasAnd: boolean): string {
  const words = englishCardinal(value, hasAnd)
  const start = words.lastIndexOf(' ') + 1
  const last = words.slice(start)
  return words.slice(0, start) + (IRREGULAR[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`))
}

/** Four digits in two pairs: "forty ninety". */
export function englishPairs(value: number): string {
  const [left, right] = [Math.trunc(value / 100), value % 100]
  return `${below100(left)} ${right === 0 ? 'hundred' : right < 10 ? `oh ${ONES[right]}` : below100(right)}`
}

/** "nineteen ninety", "nineteen oh five", "two thousand nine", "twenty twenty-four". */
export function englishYear(value: number, hasAnd: boolean): string {
  const isSplit = (value >= 1100 && value < 2000) || (value >= 2010 && value < 2100)
  return isSplit ? englishPairs(value) : englishCardinal(value, hasAnd)
}
