// English, American or British.
import { englishSentences as sentences } from '#shared/text/segmentation/germanic.ts'
import { englishCardinal, englishOrdinal, englishPairs, englishYear } from '../cardinals/english.ts'
import { sayAddress } from '../figures/english-address.ts'
import { currencies, type DayDate, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const MONTH_NAMES = monthNames(
  'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec',
)
/** Names of products whose numbers are said in pairs of digits. */
const PRODUCTS = wordSet('RTX GTX RX')
const FRACTIONS: Readonly<Record<number, readonly [string, string]>> = { 2: ['half', 'halves'], 4: ['quarter', 'quarters'] }

const UNITS = {
  km: 'kilometer|kilometers',
  m: 'meter|meters',
  cm: 'centimeter|centimeters',
  mm: 'millimeter|millimeters',
  µm: 'micrometer|micrometers',
  nm: 'nanometer|nanometers',
  'km²': 'square kilometer|square kilometers',
  'm²': 'square meter|square meters',
  'm³': 'cubic meter|cubic meters',
  kg: 'kilogram|kilograms',
  g: 'gram|grams',
  mg: 'milligram|milligrams',
  lb: 'pound|pounds',
  lbs: 'pound|pounds',
  oz: 'ounce|ounces',
  ft: 'foot|feet',
  mi: 'mile|miles',
  yd: 'yard|yards',
  l: 'liter|liters',
  L: 'liter|liters',
  ml: 'milliliter|milliliters',
  mL: 'milliliter|milliliters',
  h: 'hour|hours',
  hr: 'hour|hours',
  hrs: 'hour|hours',
  min: 'minute|minutes',
  s: 'second|seconds',
  sec: 'second|seconds',
  ms: 'millisecond|milliseconds',
  'cm²': 'square centimeter|square centimeters',
  'mm²': 'square millimeter|square millimeters',
  'ft²': 'square foot|square feet',
  'mi²': 'square mile|square miles',
  'cm³': 'cubic centimeter|cubic centimeters',
  'mm³': 'cubic millimeter|cubic millimeters',
  'km³': 'cubic kilometer|cubic kilometers',
  'ft³': 'cubic foot|cubic feet',
  µg: 'microgram|micrograms',
  mcg: 'microgram|micrograms',
  tsp: 'teaspoon|teaspoons',
  tbsp: 'tablespoon|tablespoons',
  gal: 'gallon|gallons',
  mpg: 'mile per gallon|miles per gallon',
  fps: 'frame per second|frames per second',
  bps: 'bit per second|bits per second',
  kbps: 'kilobit per second|kilobits per second',
  mbps: 'megabit per second|megabits per second',
  Mbps: 'megabit per second|megabits per second',
  Gbps: 'gigabit per second|gigabits per second',
  'kB/s': 'kilobyte per second|kilobytes per second',
  'MB/s': 'megabyte per second|megabytes per second',
  'GB/s': 'gigabyte per second|gigabytes per second',
  'km/s': 'kilometer per second|kilometers per second',
  kcal: 'kilocalorie|kilocalories',
  cal: 'calorie|calories',
  kJ: 'kilojoule|kilojoules',
  Pa: 'pascal|pascals',
  hPa: 'hectopascal|hectopascals',
  kPa: 'kilopascal|kilopascals',
  psi: 'pound per square inch|pounds per square inch',
  hp: 'horsepower',
  mA: 'milliamp|milliamps',
  mAh: 'milliamp hour|milliamp hours',
  mV: 'millivolt|millivolts',
  kV: 'kilovolt|kilovolts',
  GW: 'gigawatt|gigawatts',
  MWh: 'megawatt hour|megawatt hours',
  Ω: 'ohm|ohms',
  ppm: 'part per million|parts per million',
  px: 'pixel|pixels',
  mins: 'minute|minutes',
  secs: 'second|seconds',
  yrs: 'year|years',
  wks: 'week|weeks',
  sq: 'square',
  mph: 'mile per hour|miles per hour',
  kph: 'kilometer per hour|kilometers per hour',
  'km/h': 'kilometer per hour|kilometers per hour',
  'm/s': 'meter per second|meters per second',
  Hz: 'hertz',
  kHz: 'kilohertz',
  MHz: 'megahertz',
  GHz: 'gigahertz',
  W: 'watt|watts',
  kW: 'kilowatt|kilowatts',
  MW: 'megawatt|megawatts',
  kWh: 'kilowatt hour|kilowatt hours',
  V: 'volt|volts',
  kB: 'kilobyte|kilobytes',
  KB: 'kilobyte|kilobytes',
  MB: 'megabyte|megabytes',
  GB: 'gigabyte|gigabytes',
  TB: 'terabyte|terabytes',
  dB: 'decibel|decibels',
  rpm: 'revolutions per minute',
  '°': 'degree|degrees',
  '°C': 'degree Celsius|degrees Celsius',
  '°F': 'degree Fahrenheit|degrees Fahrenheit',
  '¢': 'cent|cents',
  '%': 'percent',
  '‰': 'per mille',
}
const british = (table: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(table).map(([key, forms]) => [key, forms.replace(/meter|liter/g, (word) => `${word.slice(0, -2)}re`)]))

const ABBREVIATIONS = {
  name: pairs(
    'Dr=Doctor|Mr=Mister|Ms=Miss|Mrs=Mrs|Mx=Mix|Prof=Professor|St=Saint|Rev=Reverend|Fr=Father|Hon=Honorable|Gen=General|Col=Colonel|Maj=Major|Capt=Captain|Lt=Lieutenant|Sgt=Sergeant|Cpl=Corporal|Gov=Governor|Sen=Senator|Rep=Representative|Pres=President|Mt=Mount|Ft=Fort|Messrs=Messieurs',
  ),
  number: pairs(
    '#=number|No=number|no=number|Mon=Monday|Tue=Tuesday|Tues=Tuesday|Wed=Wednesday|Thu=Thursday|Thurs=Thursday|Fri=Friday|Sat=Saturday|Sun=Sunday|Nos=numbers|Vol=volume|vol=volume|Ch=chapter|ch=chapter|Fig=figure|fig=figure|Figs=figures|figs=figures|Sec=section|p=page|pp=pages|Art=article|art=article|Rte=Route|Hwy=Highway',
  ),
  any: pairs(
    'e.g=for example|i.e=that is|etc=et cetera|vs=versus|approx=approximately|incl=including|esp=especially|cf=compare|viz=namely|al=alii|Jr=Junior|Sr=Senior|Inc=Incorporated|Ltd=Limited|Corp=Corporation|Co=Company|Bros=Brothers|dept=department|Dept=Department|Ave=Avenue|St=Street|Rd=Road|Blvd=Boulevard|a.m=A M|p.m=P M|A.M=A M|P.M=P M|Ph.D=P H D|B.C=B C|A.D=A D',
  ),
  bare: wordSet('Dr Mr Ms Mrs Mx Prof'),
}

function createEnglish(isBritish: boolean): Language {
  const cardinal = (value: number) => englishCardinal(value, isBritish)
  const ordinal = (value: number) => englishOrdinal(value, isBritish)
  const year = (value: number) => englishYear(value, isBritish)
  const date = ({ day, month, year: of, isDayFirst: isWrittenFirst = false }: DayDate, before: string) => {
    const hasArticle = before.toLowerCase() === 'the'
    const isDayFirst = isBritish || hasArticle || isWrittenFirst
    const end = of === null ? '' : `${isDayFirst ? ' ' : ', '}${year(of)}`
    return isDayFirst
      ? `${hasArticle ? '' : 'the '}${ordinal(day)} of ${MONTHS[month - 1]}${end}`
      : `${MONTHS[month - 1]} ${ordinal(day)}${end}`
  }
  return {
    cardinal,
    ordinal,
    year,
    decimalMark: '.',
    groupMarks: ',',
    readsDecimalsAsNumber: false,
    dateOrder: isBritish ? 'dmy' : 'mdy',
    say: {
      point: 'point',
      minus: 'minus',
      to: 'to',
      ratio: 'to',
      plus: 'plus',
      by: 'by',
      per: 'per',
      dot: 'point',
      over: 'over',
      and: 'and',
      moneyAnd: 'and',
      ofScale: (noun) => noun,
    },
    marks: {
      '@': 'at',
      '.': 'dot',
      '/': 'slash',
      '-': 'dash',
      _: 'underscore',
      ':': 'colon',
      '?': 'question mark',
      '=': 'equals',
      '&': 'and',
      '%': 'percent',
      '+': 'plus',
      '~': 'tilde',
      '#': 'hashtag',
    },
    signs: {
      '§': 'section',
      '±': 'plus or minus',
      '≈': 'approximately',
      '~': 'about',
      '≤': 'at most',
      '≥': 'at least',
      '<': 'less than',
      '>': 'more than',
    },
    operators: { '+': 'plus', '-': 'minus', '−': 'minus', '=': 'equals', '×': 'times', '*': 'times', '÷': 'divided by' },
    address: sayAddress,
    telephone: {
      before:
        /(?:\b(?:tel|telephone|phone|fax|hotline)[.:]?|\b(?:mobile|cell):|(?:^|[.!?:;,] )(?:call|dial)|\bcall (?:us|me|him|her|them|now)(?: at| on)?):? $/,
      local: /(?:\d{3}([-.])\d{3}\1\d{4}|\d{3}-\d{4})(?![\d/-])/y,
      readsCountryAsNumber: false,
    },
    date,
    dateWords: wordSet('on since until till dated due'),
    halfDay: { a: 'A M', p: 'P M' },
    hourOnly: cardinal,
    time: ({ hours, minutes, seconds }) => {
      const counted = (value: number, unit: string) => `${cardinal(value)} ${unit}${value === 1 ? '' : 's'}`
      if (seconds !== null) return `${counted(hours, 'hour')}, ${counted(minutes, 'minute')} and ${counted(seconds, 'second')}`
      if (minutes === 0) return hours === 0 || hours > 12 ? `${cardinal(hours)} hundred` : `${cardinal(hours)} o'clock`
      return `${cardinal(hours)} ${minutes < 10 ? 'oh ' : ''}${cardinal(minutes)}`
    },
    hourMark: null,
    timeForm: null,
    fraction: (numerator, denominator) => {
      const [one, many] = FRACTIONS[denominator] ?? [ordinal(denominator), `${ordinal(denominator)}s`]
      return `${cardinal(numerator)} ${numerator === 1 ? one : many}`
    },
    ordinalMark: /(st|nd|rd|th)(?![\p{L}\p{M}])/iuy,
    genderOfMark: () => 'm',
    months: MONTH_NAMES,
    scaleGender: 'm',
    capitalMonths: true,
    currencies: currencies({
      USD: ['dollar|dollars', 'cent|cents'],
      CAD: ['Canadian dollar|Canadian dollars', 'cent|cents'],
      AUD: ['Australian dollar|Australian dollars', 'cent|cents'],
      GBP: ['pound|pounds', 'penny|pence'],
      EUR: ['euro|euros', 'cent|cents'],
      JPY: ['yen'],
      CNY: ['yuan'],
      INR: ['rupee|rupees', 'paisa|paise'],
      CHF: ['Swiss franc|Swiss francs', 'centime|centimes'],
      KRW: ['won'],
      BRL: ['real|reais', 'centavo|centavos'],
    }),
    scales: pairs(
      'hundred=hundred|thousand=thousand|million=million|billion=billion|trillion=trillion|k=thousand|K=thousand|M=million|m=million|bn=billion|B=billion|tn=trillion',
    ),
    units: nouns(isBritish ? british(UNITS) : UNITS),
    rates: pairs(
      'mo=month|yr=year|y=year|hr=hour|h=hour|wk=week|d=day|min=minute|s=second|sec=second|lb=pound|kg=kilogram|pp=person|pc=piece|ea=each|km=kilometer|mi=mile|gal=gallon',
    ),
    abbreviations: ABBREVIATIONS,
    slashed: pairs('w/=with|w/o=without|b/c=because'),
    productNumber: (name, value) => (PRODUCTS.has(name) ? englishPairs(value) : null),
    sentences,
    regnalNames: wordSet(
      'Henry Louis Charles George Elizabeth Edward Richard James William Philip Mary Paul John Benedict Pius Leo Gregory Innocent Clement Urban Francis Frederick Catherine Nicholas Alexander Peter Ivan Napoleon Ferdinand Felipe Juan Carlos Alfonso Otto Wilhelm Christian Gustav Ramesses Ptolemy Cleopatra Margaret Haakon Olav',
    ),
    regnal: (value) => `the ${ordinal(value)}`,
    chapterWords: {
      chapter: 'cardinal',
      part: 'cardinal',
      book: 'cardinal',
      volume: 'cardinal',
      section: 'cardinal',
      act: 'cardinal',
      scene: 'cardinal',
      war: 'cardinal',
      article: 'cardinal',
      appendix: 'cardinal',
      phase: 'cardinal',
      episode: 'cardinal',
      canto: 'cardinal',
    },
    romanOrdinal: null,
    stopOrdinal: null,
    genderOf: () => undefined,
    isIWord: true,
    decade: {
      form: /([1-9]00|[2-9]0|\d{4})['’]?s(?![\p{L}\p{M}])/uy,
      notAfter: wordSet('for after within every than takes took lasts lasted wait waits waited about only another first last under over'),
      say: (from) => {
        if (from.length === 3) return from === '100' ? 'hundreds' : `${cardinal(Number(from))}s`
        const words = from.length === 2 ? cardinal(Number(from)) : year(Number(from))
        return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}${words.endsWith('x') ? 'es' : 's'}`
      },
    },
  }
}

export const american = createEnglish(false)
export const britishEnglish = createEnglish(true)
