// Russian numbers. Pure.
import { slavicCardinal } from './slavic.ts'

export const russianCardinal = slavicCardinal({
  ones: 'ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать'.split(
    ' ',
  ),
  tens: ' десять двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто'.split(' '),
  hundreds: ' сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот'.split(' '),
  scales: ['тысяча|тысячи|тысяч', 'миллион|миллиона|миллионов', 'миллиард|миллиарда|миллиардов', 'триллион|триллиона|триллионов'],
  genders: { m: {}, f: { 1: 'одна', 2: 'две' }, n: { 1: 'одно' } },
  agreesInside: true,
  // "Тысяча девятьсот" and "двести тысяч", but "миллион" has its 1.
  dropsOne: (value, scale) => scale === 1 && value < 2000,
})

export const russianGenitive = slavicCardinal({
  ones: 'ноля одного двух трёх четырёх пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати пятнадцати шестнадцати семнадцати восемнадцати девятнадцати'.split(
    ' ',
  ),
  tens: ' десяти двадцати тридцати сорока пятидесяти шестидесяти семидесяти восьмидесяти девяноста'.split(' '),
  hundreds: ' ста двухсот трёхсот четырёхсот пятисот шестисот семисот восьмисот девятисот'.split(' '),
  scales: ['тысячи|тысяч', 'миллиона|миллионов', 'миллиарда|миллиардов', 'триллиона|триллионов'],
  genders: { m: {}, f: { 1: 'одной' }, n: {} },
  agreesInside: true,
  dropsOne: (value, scale) => scale === 1 && value < 2000,
})

/** The first part of a compound such as "двадцатипятилетний"; null for a number that has none. */
export function russianStem(value: number): string | null {
  if (value === 100) return 'сто'
  if (value < 1 || value > 99) return null
  return russianGenitive(value)
    .replace('девяноста', 'девяносто')
    .replace(/одного$/, 'одно')
    .replace(' ', '')
}

/** Endings of adjectives after a hard stem, by the form of the noun. */
export type RussianEnding = 'ый' | 'ого' | 'ому' | 'ым' | 'ом' | 'ая' | 'ой' | 'ую' | 'ое' | 'ые' | 'ых' | 'ыми'

const ORDINAL_ONES =
  'нулев перв втор трет четвёрт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат шестнадцат семнадцат восемнадцат девятнадцат'.split(
    ' ',
  )
const ORDINAL_TENS = ' десят двадцат тридцат сороков пятидесят шестидесят семидесят восьмидесят девяност'.split(' ')
const ORDINAL_HUNDREDS = ' сот двухсот трёхсот четырёхсот пятисот шестисот семисот восьмисот девятисот'.split(' ')
/** Stems with the stress on the ending: "второй", "шестой". */
const STRESSED = /(?:нулев|втор|шест|седьм|восьм|сороков)$/
const SOFT: Readonly<Record<RussianEnding, string>> = {
  ый: 'ий',
  ого: 'ьего',
  ому: 'ьему',
  ым: 'ьим',
  ом: 'ьем',
  ая: 'ья',
  ой: 'ьей',
  ую: 'ью',
  ое: 'ье',
  ые: 'ьи',
  ых: 'ьих',
  ыми: 'ьими',
}

function inflected(stem: string, ending: RussianEnding): string {
  if (stem === 'трет') return `${stem}${SOFT[ending]}`
  return `${stem}${ending === 'ый' && STRESSED.test(stem) ? 'ой' : ending}`
}

/** The ordinal; only its last word is inflected. */
export function russianOrdinal(value: number, ending: RussianEnding = 'ый'): string {
  const before = (low: number) => (value > low ? [russianCardinal(value - low)] : [])
  const rest = value % 100
  if (value === 0 || rest !== 0) {
    const last = rest < 20 ? rest : rest % 10 || rest
    const stem = last < 20 ? ORDINAL_ONES[last]! : ORDINAL_TENS[last / 10]!
    return [...before(last), inflected(stem, ending)].join(' ')
  }
  const hundreds = Math.trunc(value / 100) % 10
  if (hundreds !== 0) return [...before(hundreds * 100), inflected(ORDINAL_HUNDREDS[hundreds]!, ending)].join(' ')
  const isThousand = value % 1e6 !== 0
  const [scale, stem] = isThousand ? [1e3, 'тысячн'] : value % 1e9 !== 0 ? [1e6, 'миллионн'] : [1e9, 'миллиардн']
  const count = Math.trunc(value / scale) % 1000
  const hundred = Math.trunc(count / 100)
  const low = count % 100
  const head = hundred ? `${hundred === 1 ? 'сто' : `${ORDINAL_HUNDREDS[hundred]}`}` : ''
  const tail = low ? russianStem(low)! : ''
  return [...before(count * scale), `${count === 1 ? '' : head + tail}${inflected(stem, ending)}`].join(' ')
}
