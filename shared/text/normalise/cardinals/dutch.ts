// Dutch numbers. Pure.
import { thousandGroups } from '../thousand-groups.ts'

const ONES =
  'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien'.split(
    ' ',
  )
const TENS = ' tien twintig dertig veertig vijftig zestig zeventig tachtig negentig'.split(' ')
const SCALES = ['', 'duizend', 'miljoen', 'miljard', 'biljoen']
const ORDINALS: Readonly<Record<number, string>> = { 1: 'eerste', 3: 'derde', 8: 'achtste' }

function below1000(value: number): string {
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100]
  const unit = ONES[rest % 10]!
  const tens = TENS[Math.trunc(rest / 10)]!
  const low = rest < 20 ? (rest ? ONES[rest]! : '') : rest % 10 ? `${unit}${unit.endsWith('e') ? 'ën' : 'en'}${tens}` : tens
  return `${hundreds > 1 ? ONES[hundreds] : ''}${hundreds ? 'honderd' : ''}${low}`
}

/** A 1 that is a word of its own has accents, so that no engine takes it for the article. */
const alone = (words: string): string => (words === 'een' ? 'één' : words)

export function dutchCardinal(value: number): string {
  if (value === 0) return ONES[0]!
  const words = thousandGroups(value).flatMap(({ group, scale }) => {
    if (group === 0) return []
    if (scale === 1) return [`${group === 1 ? '' : below1000(group)}duizend`]
    return [scale === 0 ? alone(below1000(group)) : `${alone(below1000(group))} ${SCALES[scale]}`]
  })
  return words.join(' ')
}

export function dutchOrdinal(value: number): string {
  const rest = value % 100
  const words = dutchCardinal(value)
  if (rest === 0 || rest > 19) return `${words}ste`
  const own = ORDINALS[rest]
  return own === undefined ? `${words}de` : `${words.slice(0, words.length - ONES[rest]!.length)}${own}`
}

/** Hundreds of the second millennium after 1100: "negentienhonderdnegentig". */
export function dutchYear(value: number): string {
  if (value < 1100 || value > 1999) return dutchCardinal(value)
  const rest = value % 100
  return `${ONES[Math.trunc(value / 100)]}honderd${rest ? below1000(rest) : ''}`
}
