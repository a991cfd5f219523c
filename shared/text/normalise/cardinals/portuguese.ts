// Portuguese numbers, as in Brazil or in Portugal. Pure.
import type { Gender } from '../language.ts'
import { thousandGroups } from '../thousand-groups.ts'

const ONES =
  'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove'.split(' ')
const EUROPEAN: Readonly<Record<number, string>> = { 14: 'catorze', 16: 'dezasseis', 17: 'dezassete', 19: 'dezanove' }
const TENS = '  vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'.split(' ')
const HUNDREDS = ' cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'.split(' ')
const SCALES = ['', 'mil', 'milhão', 'bilhão', 'trilhão']
const ORDINAL_ONES = ' primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono'.split(' ')
const ORDINAL_TENS = ' décimo vigésimo trigésimo quadragésimo quinquagésimo sexagésimo septuagésimo octogésimo nonagésimo'.split(' ')

function below1000(value: number, isEuropean: boolean): string {
  if (value === 100) return 'cem'
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100]
  const one = rest < 20 ? rest : rest % 10
  const parts = [
    hundreds ? HUNDREDS[hundreds]! : '',
    rest >= 20 ? TENS[Math.trunc(rest / 10)]! : '',
    one ? (isEuropean && EUROPEAN[one]) || ONES[one]! : '',
  ]
  return parts.filter((part) => part !== '').join(' e ')
}

const feminine = (words: string): string =>
  words
    .replace(/(?<![\p{L}])um$/u, 'uma')
    .replace(/(?<![\p{L}])dois$/u, 'duas')
    .replace(/(?:duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)entos/g, (part) => `${part.slice(0, -2)}as`)

/** Brazil counts in thousands of millions with a name of its own; Portugal says "mil milhões". */
export function portugueseCardinal(value: number, isEuropean: boolean, gender?: Gender): string {
  if (value === 0) return ONES[0]!
  if (isEuropean && value >= 1e9) return europeanLarge(value, gender)
  const groups = thousandGroups(value).filter(({ group }) => group > 0)
  let words = ''
  for (const { group, scale } of groups) {
    const small = below1000(group, isEuropean)
    const part =
      scale === 0
        ? small
        : scale === 1
          ? group === 1
            ? 'mil'
            : `${small} mil`
          : group === 1
            ? `um ${SCALES[scale]}`
            : `${small} ${SCALES[scale]!.replace('ão', 'ões')}`
    // "e" stands before the last group, where it is below a hundred or whole hundreds: "um milhão e cem mil".
    const isJoined = scale === groups.at(-1)!.scale && (group < 100 || group % 100 === 0)
    words += words === '' ? part : isJoined ? ` e ${part}` : ` ${part}`
  }
  return gender === 'f' ? feminine(words) : words
}

function europeanLarge(value: number, gender?: Gender): string {
  const [large, millions, rest] = [Math.trunc(value / 1e12), Math.trunc(value / 1e6) % 1e6, value % 1e6]
  const scaled = (count: number, one: string, many: string) =>
    count === 0 ? '' : count === 1 ? `um ${one}` : `${portugueseCardinal(count, true)} ${many}`
  const parts = [
    scaled(large, 'bilião', 'biliões'),
    scaled(millions, 'milhão', 'milhões'),
    rest ? portugueseCardinal(rest, true, gender) : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

const ORDINAL_HUNDREDS =
  ' centésimo ducentésimo trecentésimo quadringentésimo quingentésimo sexcentésimo septingentésimo octingentésimo nongentésimo'.split(' ')

/** Up to 1,000; larger ones are said as cardinals. */
export function portugueseOrdinal(value: number, isEuropean: boolean, gender?: Gender): string {
  if (value < 1 || value > 1000) return portugueseCardinal(value, isEuropean, gender)
  const parts = [ORDINAL_HUNDREDS[Math.trunc(value / 100)]!, ORDINAL_TENS[Math.trunc(value / 10) % 10]!, ORDINAL_ONES[value % 10]!]
  const words = value === 1000 ? 'milésimo' : parts.filter((part) => part !== '').join(' ')
  return gender === 'f' ? words.replace(/o(?= |$)/g, 'a') : words
}
