// Street addresses of English: "1428 Elm St.", "708 N 1st St", ", CA 95051". Pure.
import { englishSentences } from '#shared/text/segmentation/germanic.ts'
import { englishCardinal, englishOrdinal } from '../cardinals/english.ts'
import { pairs } from '../language.ts'
import { matchAt, type Replacement } from '../match.ts'

const STREETS = pairs(
  'st=Street|ave=Avenue|blvd=Boulevard|rd=Road|hwy=Highway|expy=Expressway|ct=Court|ln=Lane|dr=Drive|pkwy=Parkway|sq=Square|pl=Place|ter=Terrace|cir=Circle|fwy=Freeway',
)
const DIRECTIONS = pairs('N=North|S=South|E=East|W=West|NE=Northeast|NW=Northwest|SE=Southeast|SW=Southwest')
const STATES = pairs(
  'AL=Alabama|AK=Alaska|AZ=Arizona|AR=Arkansas|CA=California|CO=Colorado|CT=Connecticut|DE=Delaware|FL=Florida|GA=Georgia|HI=Hawaii|ID=Idaho|IL=Illinois|IN=Indiana|IA=Iowa|KS=Kansas|KY=Kentucky|LA=Louisiana|ME=Maine|MD=Maryland|MA=Massachusetts|MI=Michigan|MN=Minnesota|MS=Mississippi|MO=Missouri|MT=Montana|NE=Nebraska|NV=Nevada|NH=New Hampshire|NJ=New Jersey|NM=New Mexico|NY=New York|NC=North Carolina|ND=North Dakota|OH=Ohio|OK=Oklahoma|OR=Oregon|PA=Pennsylvania|RI=Rhode Island|SC=South Carolina|SD=South Dakota|TN=Tennessee|TX=Texas|UT=Utah|VT=Vermont|VA=Virginia|WA=Washington|WV=West Virginia|WI=Wisconsin|WY=Wyoming|DC=D C',
)
/** House number, direction, up to four words of a name, and the kind of street with its full stop. */
const ADDRESS =
  /(\d{1,5}) (?:([NSEW]|[NS][EW])\.? )?((?:\p{Lu}[\p{L}'’]{0,20}|\d{1,3}(?:st|nd|rd|th))(?: \p{Lu}[\p{L}'’]{0,20}){0,3}?) (St|Ave|Blvd|Rd|Hwy|Expy|Ct|Ln|Dr|Pkwy|Sq|Pl|Ter|Cir|Fwy|st|ave|blvd|rd|hwy|expy)(\.?)(?![\p{L}\p{N}])/uy
/** A state behind a town, with a ZIP code or without: ", CA 95051". */
const STATE = /(,[^,.\n\d]{1,40})?, ([A-Z]{2})(?:,? (\d{5})(?:-(\d{4}))?)?(?![\p{L}\p{N}])/uy

const NAME_NEXT = /[ \u00a0](\p{Lu}[\p{L}'’]*)/uy

/** House numbers are said in pairs: "twenty seven eighty eight", "one twenty three". */
function houseNumber(digits: string): string {
  const [head, tail] = digits.length > 2 && digits.length < 5 ? [digits.slice(0, -2), digits.slice(-2)] : [digits, '']
  if (digits.length === 5) return sayEach(digits)
  if (tail === '') return englishCardinal(Number(digits), false)
  if (tail === '00') return `${englishCardinal(Number(head), false)} hundred`
  const low = tail.startsWith('0') ? `zero ${englishCardinal(Number(tail), false)}` : englishCardinal(Number(tail), false)
  return `${englishCardinal(Number(head), false)} ${low}`
}
const sayEach = (digits: string): string => Array.from(digits, (digit) => englishCardinal(Number(digit), false)).join(' ')

/** An address at `at`, which has a digit; null if there is none. */
export function sayAddress(text: string, at: number): Replacement | null {
  const found = matchAt(ADDRESS, text, at)
  if (!found) return null
  const [whole, number, direction, name, kind, stop] = found as unknown as [string, string, string | undefined, string, string, string]
  const spoken = name.replace(/\b(\d{1,3})(?:st|nd|rd|th)\b/g, (_, digits: string) => englishOrdinal(Number(digits), false))
  let end = at + whole.length
  // "British Dr. David" and "Big St. Bernard" are no streets: a name follows, and not a new sentence.
  const next = matchAt(NAME_NEXT, text, end)
  if (next && /^(?:st|dr)$/i.test(kind) && !englishSentences.starters.has(next[1]!.toLowerCase())) return null
  // A full stop before a new sentence, or at the end, stays.
  const isEnd = stop === '.' && /^(?:\s*$|\s+["“(]?\p{Lu})/u.test(text.slice(end, end + 3))
  let words = [houseNumber(number), direction && DIRECTIONS[direction], spoken, STREETS[kind.toLowerCase()]]
    .filter((part) => part)
    .join(' ')
  if (isEnd) return { words: `${words}.`, end }
  const state = matchAt(STATE, text, end)
  if (state && Object.hasOwn(STATES, state[2]!)) {
    const code = [state[3], state[4]].filter((part) => part !== undefined).map(sayEach)
    words += `${state[1] ?? ''}, ${STATES[state[2]!]}${code.length > 0 ? ` ${code.join(', ')}` : ''}`
    end += state[0].length
  }
  return { words, end }
}
