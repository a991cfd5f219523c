// Cardinals of languages whose scales are nouns with three forms. Pure.
import { type Amount, type Gender, inflectedNoun, type Language, type NounForm } from '../language.ts'
import { thousandGroups } from '../thousand-groups.ts'

type Words = {
  /** From 0 to 19, masculine. */
  readonly ones: readonly string[]
  /** From 0 to 90 by tens. */
  readonly tens: readonly string[]
  readonly hundreds: readonly string[]
  /** Thousand and above, as inflected nouns. */
  readonly scales: readonly string[]
  /** Forms of 1 and 2 that differ from the masculine ones. */
  readonly genders: Readonly<Record<Gender, Readonly<Record<number, string>>>>
  /** True if the 1 of 21 agrees with its noun, as in Russian. */
  readonly agreesInside: boolean
  /** True for a scale that is said without a 1: value, scale. */
  readonly dropsOne: (value: number, scale: number) => boolean
}

/** `isOneInside`: true if 21 takes the form of 1. */
export function slavicForm(value: number, isOneInside: boolean): NounForm {
  const [rest, last] = [value % 100, value % 10]
  if (value === 1 || (isOneInside && last === 1 && rest !== 11)) return 'one'
  return last >= 2 && last <= 4 && (rest < 12 || rest > 14) ? 'few' : 'many'
}

export const slavicAmountForm =
  (isOneInside: boolean) =>
  ({ whole, decimals }: Amount): NounForm =>
    // The last digits of a number that is said digit by digit count as well.
    decimals === '' ? slavicForm(Number(whole.slice(-15)), isOneInside) : 'part'

export function slavicCardinal({ ones, tens, hundreds, scales, genders, agreesInside, dropsOne }: Words): Language['cardinal'] {
  const nouns = scales.map(inflectedNoun)
  const below1000 = (value: number, gender: Gender): string => {
    const rest = value % 100
    const unit = rest < 20 ? rest : rest % 10
    const agrees = unit === 2 || value === 1 || agreesInside
    const word = unit === 0 ? '' : ((agrees ? genders[gender][unit] : undefined) ?? ones[unit]!)
    return [hundreds[Math.trunc(value / 100)], rest < 20 ? '' : tens[Math.trunc(rest / 10)], word].filter((part) => part).join(' ')
  }
  return (value, gender = 'm') => {
    if (value === 0) return ones[0]!
    const words = thousandGroups(value).flatMap(({ group, scale }) => {
      if (group === 0) return []
      // Only a number that is 1 as a whole agrees in a language without agreement inside.
      if (scale === 0) return [below1000(group, agreesInside || value < 2 || group % 10 !== 1 ? gender : 'm')]
      const noun = nouns[scale - 1]!
      const form = noun[slavicForm(group, agreesInside)] ?? noun.many
      return group === 1 && dropsOne(value, scale) ? [form] : [`${below1000(group, noun.gender)} ${form}`]
    })
    return words.join(' ')
  }
}
