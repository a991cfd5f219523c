// Polish numbers. Pure.
import { slavicCardinal } from './slavic.ts'

export const polishCardinal = slavicCardinal({
  ones: 'zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście'.split(
    ' ',
  ),
  tens: ' dziesięć dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt'.split(
    ' ',
  ),
  hundreds: ' sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset'.split(' '),
  scales: ['tysiąc|tysiące|tysięcy', 'milion|miliony|milionów', 'miliard|miliardy|miliardów', 'bilion|biliony|bilionów'],
  genders: { m: {}, f: { 1: 'jedna', 2: 'dwie' }, n: { 1: 'jedno' } },
  agreesInside: false,
  dropsOne: () => true,
})

export const polishGenitive = slavicCardinal({
  ones: 'zera jeden dwóch trzech czterech pięciu sześciu siedmiu ośmiu dziewięciu dziesięciu jedenastu dwunastu trzynastu czternastu piętnastu szesnastu siedemnastu osiemnastu dziewiętnastu'.split(
    ' ',
  ),
  tens: ' dziesięciu dwudziestu trzydziestu czterdziestu pięćdziesięciu sześćdziesięciu siedemdziesięciu osiemdziesięciu dziewięćdziesięciu'.split(
    ' ',
  ),
  hundreds: ' stu dwustu trzystu czterystu pięciuset sześciuset siedmiuset ośmiuset dziewięciuset'.split(' '),
  scales: ['tysiąca|tysięcy', 'miliona|milionów', 'miliarda|miliardów', 'biliona|bilionów'],
  genders: { m: { 1: 'jednego' }, f: { 1: 'jednej' }, n: { 1: 'jednego' } },
  agreesInside: false,
  dropsOne: () => true,
})

/** Endings of adjectives, by the form of the noun. */
export type PolishEnding = 'y' | 'ego' | 'emu' | 'ym' | 'a' | 'ej' | 'ą' | 'e' | 'ych'

const ORDINAL_ONES =
  'zerow pierwsz drug trzec czwart piąt szóst siódm ósm dziewiąt dziesiąt jedenast dwunast trzynast czternast piętnast szesnast siedemnast osiemnast dziewiętnast'.split(
    ' ',
  )
const ORDINAL_TENS =
  ' dziesiąt dwudziest trzydziest czterdziest pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt'.split(' ')
const ORDINAL_HUNDREDS = ' setn dwusetn trzechsetn czterechsetn pięćsetn sześćsetn siedemsetn osiemsetn dziewięćsetn'.split(' ')
const STEMS =
  ' jedno dwu trzy cztero pięcio sześcio siedmio ośmio dziewięcio dziesięcio jedenasto dwunasto trzynasto czternasto piętnasto szesnasto siedemnasto osiemnasto dziewiętnasto'.split(
    ' ',
  )
const STEM_TENS =
  '  dwudziesto trzydziesto czterdziesto pięćdziesięcio sześćdziesięcio siedemdziesięcio osiemdziesięcio dziewięćdziesięcio'.split(' ')

/** The first part of a compound such as "dwudziestopięcioletni"; null for a number that has none. */
export function polishStem(value: number): string | null {
  if (value === 100) return 'stu'
  if (value < 1 || value > 99) return null
  return value < 20 ? STEMS[value]! : `${STEM_TENS[Math.trunc(value / 10)]}${STEMS[value % 10]}`
}

function inflected(stem: string, ending: PolishEnding): string {
  const isSoft = /(?:g|c)$/.test(stem)
  if (isSoft && ending.startsWith('y')) return `${stem}i${ending.slice(1)}`
  if (stem.endsWith('g') && ending.startsWith('e')) return `${stem}i${ending}`
  return stem.endsWith('c') ? `${stem}i${ending}` : `${stem}${ending}`
}

/** The ordinal; the tens and the unit agree, what stands before them is a cardinal. */
export function polishOrdinal(value: number, ending: PolishEnding = 'y'): string {
  if (value === 0) return inflected(ORDINAL_ONES[0]!, ending)
  const rest = value % 100
  const before = (low: number) => (value > low ? [polishCardinal(value - low)] : [])
  if (rest !== 0) {
    const [tens, unit] = rest < 20 ? [0, rest] : [Math.trunc(rest / 10), rest % 10]
    const stems = [tens ? ORDINAL_TENS[tens]! : '', unit ? ORDINAL_ONES[unit]! : ''].filter((stem) => stem !== '')
    return [...before(rest), ...stems.map((stem) => inflected(stem, ending))].join(' ')
  }
  const hundreds = Math.trunc(value / 100) % 10
  if (hundreds !== 0) return [...before(hundreds * 100), inflected(ORDINAL_HUNDREDS[hundreds]!, ending)].join(' ')
  const isThousand = value % 1e6 !== 0
  const [scale, stem] = isThousand ? [1e3, 'tysięczn'] : value % 1e9 !== 0 ? [1e6, 'milionow'] : [1e9, 'miliardow']
  const count = Math.trunc(value / scale) % 1000
  const head = count === 1 ? '' : (polishStem(count) ?? `${polishCardinal(count).replaceAll(' ', '')}`)
  return [...before(count * scale), `${head}${inflected(stem, ending)}`].join(' ')
}
