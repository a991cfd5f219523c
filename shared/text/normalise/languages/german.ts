// German.
import { germanSentences as sentences } from '#shared/text/segmentation/germanic.ts'
import { germanCardinal, germanOrdinal, germanYear } from '../cardinals/german.ts'
import { currencies, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')
/** Words after which an ordinal ends in -en, or in -e. */
const WEAK_N = wordSet('am vom zum beim dem den des im bis ab seit')
const WEAK = wordSet('der die das')
const FRACTIONS: Readonly<Record<number, string>> = { 3: 'Drittel', 7: 'Siebtel', 8: 'Achtel' }

export const german: Language = {
  cardinal: germanCardinal,
  ordinal: (value) => germanOrdinal(value),
  year: germanYear,
  decimalMark: ',',
  groupMarks: '.\u00a0\u202f',
  readsDecimalsAsNumber: false,
  dateOrder: 'dmy',
  say: {
    point: 'Komma',
    minus: 'minus',
    to: 'bis',
    ratio: 'zu',
    plus: 'plus',
    by: 'mal',
    per: 'pro',
    dot: 'Punkt',
    over: 'durch',
    and: 'und',
    moneyAnd: 'und',
    ofScale: (noun) => noun,
  },
  marks: {
    '@': 'at',
    '.': 'Punkt',
    '/': 'Slash',
    '-': 'Bindestrich',
    _: 'Unterstrich',
    ':': 'Doppelpunkt',
    '?': 'Fragezeichen',
    '=': 'gleich',
    '&': 'und',
    '%': 'Prozent',
    '+': 'plus',
    '~': 'Tilde',
    '#': 'Hashtag',
  },
  signs: {
    '§': 'Paragraph',
    '±': 'plus minus',
    '≈': 'ungefähr',
    '~': 'etwa',
    '≤': 'höchstens',
    '≥': 'mindestens',
    '<': 'unter',
    '>': 'über',
  },
  operators: { '+': 'plus', '-': 'minus', '−': 'minus', '=': 'ist gleich', '×': 'mal', '*': 'mal', '÷': 'durch' },
  telephone: {
    before: /\b(?:tel|telefon|telefonnummer|fax|mobil|handy|hotline|durchwahl|rufnummer)[.:]?(?: unter)?:? $/,
    local: null,
    readsCountryAsNumber: true,
  },
  date: ({ day, month, year }, before) => {
    return `${germanOrdinal(day)}${weakEnding(before) ?? 'r'} ${MONTHS[month - 1]}${year === null ? '' : ` ${germanYear(year)}`}`
  },
  dateWords: wordSet('am vom zum bis ab seit den dem der'),
  halfDay: null,
  hourOnly: germanCardinal,
  time: ({ hours, minutes, seconds }) => {
    const hour = `${germanCardinal(hours, 'm')} Uhr`
    if (seconds === null) return `${hour}${minutes ? ` ${germanCardinal(minutes)}` : ''}`
    const counted = (value: number, unit: string) => `${germanCardinal(value, 'f')} ${unit}${value === 1 ? '' : 'n'}`
    return `${hour} ${counted(minutes, 'Minute')} und ${counted(seconds, 'Sekunde')}`
  },
  hourMark: / Uhr(?![\p{L}\p{M}])/uy,
  timeForm: /(\d{1,2})\.(\d{2})(?= Uhr(?![\p{L}\p{M}]))/uy,
  fraction: (numerator, denominator) => {
    if (denominator === 2) return numerator === 1 ? 'ein halb' : `${germanCardinal(numerator, 'n')} halbe`
    const part = FRACTIONS[denominator] ?? `${capital(germanOrdinal(denominator).slice(0, -1))}el`
    return `${germanCardinal(numerator, 'n')} ${part}`
  },
  mixed: (whole, fraction) => (fraction === 'ein halb' && whole.length < 3 ? `${germanCardinal(Number(whole), 'm')}einhalb` : null),
  ordinalMark: null,
  genderOfMark: () => 'm',
  months: monthNames(
    'januar jan jänner|februar feb|märz mär|april apr|mai|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|dezember dez',
  ),
  scaleGender: 'f',
  capitalMonths: true,
  currencies: currencies({
    EUR: ['Euro', 'Cent'],
    USD: ['Dollar', 'Cent'],
    GBP: ['Pfund||n', 'Penny|Pence'],
    CHF: ['Franken', 'Rappen'],
    JPY: ['Yen'],
    CNY: ['Yuan'],
    INR: ['Rupie|Rupien|f'],
  }),
  scales: pairs(
    'Tausend=Tausend|tausend=tausend|million=Million|millionen=Millionen|milliarde=Milliarde|milliarden=Milliarden|Billion=Billion|Billionen=Billionen|Million=Million|Millionen=Millionen|Milliarde=Milliarde|Milliarden=Milliarden|Mio.=Millionen|Mrd.=Milliarden|Tsd.=Tausend',
  ),
  units: nouns({
    km: 'Kilometer',
    m: 'Meter',
    cm: 'Zentimeter',
    mm: 'Millimeter',
    'km²': 'Quadratkilometer',
    'm²': 'Quadratmeter',
    'm³': 'Kubikmeter',
    kg: 'Kilogramm||n',
    g: 'Gramm||n',
    mg: 'Milligramm||n',
    t: 'Tonne|Tonnen|f',
    l: 'Liter',
    ml: 'Milliliter',
    h: 'Stunde|Stunden|f',
    Std: 'Stunde|Stunden|f',
    min: 'Minute|Minuten|f',
    s: 'Sekunde|Sekunden|f',
    ms: 'Millisekunde|Millisekunden|f',
    'cm²': 'Quadratzentimeter',
    'mm²': 'Quadratmillimeter',
    'cm³': 'Kubikzentimeter',
    'km³': 'Kubikkilometer',
    ha: 'Hektar',
    µm: 'Mikrometer',
    nm: 'Nanometer',
    µg: 'Mikrogramm||n',
    dl: 'Deziliter',
    cl: 'Zentiliter',
    hl: 'Hektoliter',
    ft: 'Fuß',
    kcal: 'Kilokalorie|Kilokalorien|f',
    kJ: 'Kilojoule',
    hPa: 'Hektopascal',
    kPa: 'Kilopascal',
    bar: 'Bar',
    PS: 'PS',
    A: 'Ampere',
    mA: 'Milliampere',
    mAh: 'Milliamperestunde|Milliamperestunden|f',
    mV: 'Millivolt',
    kV: 'Kilovolt',
    GW: 'Gigawatt',
    MWh: 'Megawattstunde|Megawattstunden|f',
    Mbit: 'Megabit',
    Gbit: 'Gigabit',
    'Mbit/s': 'Megabit pro Sekunde',
    'MB/s': 'Megabyte pro Sekunde',
    'GB/s': 'Gigabyte pro Sekunde',
    'km/s': 'Kilometer pro Sekunde',
    Ω: 'Ohm',
    px: 'Pixel',
    'km/h': 'Kilometer pro Stunde',
    'm/s': 'Meter pro Sekunde',
    Hz: 'Hertz',
    kHz: 'Kilohertz',
    MHz: 'Megahertz',
    GHz: 'Gigahertz',
    W: 'Watt',
    kW: 'Kilowatt',
    MW: 'Megawatt',
    kWh: 'Kilowattstunde|Kilowattstunden|f',
    V: 'Volt',
    kB: 'Kilobyte',
    KB: 'Kilobyte',
    MB: 'Megabyte',
    GB: 'Gigabyte',
    TB: 'Terabyte',
    dB: 'Dezibel',
    '°': 'Grad',
    '°C': 'Grad Celsius',
    '°F': 'Grad Fahrenheit',
    '%': 'Prozent',
    '‰': 'Promille',
  }),
  rates: pairs(
    'h=Stunde|Std=Stunde|d=Tag|Tg=Tag|J=Jahr|Mon=Monat|Mt=Monat|Wo=Woche|min=Minute|s=Sekunde|kg=Kilogramm|l=Liter|km=Kilometer|Stk=Stück',
  ),
  abbreviations: {
    name: pairs('Dr=Doktor|Mr=Mister|Ms=Miss|Mrs=Misses|Prof=Professor|Hr=Herr|Fr=Frau|St=Sankt|v=von'),
    number: pairs('Nr=Nummer|S=Seite|Kap=Kapitel|Bd=Band|Abb=Abbildung|Abs=Absatz|Art=Artikel|Tel=Telefon'),
    any: pairs(
      'z.B=zum Beispiel|z. B=zum Beispiel|d.h=das heißt|d. h=das heißt|u.a=unter anderem|u. a=unter anderem|z.T=zum Teil|z. T=zum Teil|i.d.R=in der Regel|usw=und so weiter|bzw=beziehungsweise|ca=circa|ggf=gegebenenfalls|evtl=eventuell|vgl=vergleiche|Vgl=Vergleiche|v. Chr=vor Christus|n. Chr=nach Christus|inkl=inklusive|bspw=beispielsweise|sog=sogenannt|Mio=Millionen|Mrd=Milliarden|Tsd=Tausend|Std=Stunden|Min=Minuten|Sek=Sekunden|Jh=Jahrhundert|usf=und so fort|etc=et cetera',
    ),
    bare: wordSet('Dr Prof'),
  },
  sentences,
  regnalNames: wordSet(
    'Ludwig Friedrich Wilhelm Karl Heinrich Otto Konrad Georg Elisabeth Johannes Paul Benedikt Pius Leo Gregor Franz Joseph Maximilian Katharina Peter Nikolaus Alexander Napoleon Philipp Rudolf Ferdinand Leopold August',
  ),
  regnal: (value, name) => {
    const words = capital(germanOrdinal(value))
    return `${/^(?:Elisabeth|Katharina)$/.test(name) ? 'die' : 'der'} ${words}`
  },
  chapterWords: {
    kapitel: 'cardinal',
    teil: 'cardinal',
    band: 'cardinal',
    buch: 'cardinal',
    akt: 'cardinal',
    szene: 'cardinal',
    abschnitt: 'cardinal',
    weltkrieg: 'cardinal',
  },
  romanOrdinal: null,
  stopOrdinal: (value, before, next) => {
    if (value <= 0) return null
    const ending = weakEnding(before) ?? strongEnding(next)
    return ending === null ? null : `${germanOrdinal(value)}${ending}`
  },
  genderOf: (noun) => (!/^\p{Lu}/u.test(noun) ? undefined : /(?:e|ung|heit|keit|schaft)$/.test(noun) ? 'f' : 'm'),
  isIWord: false,
  decade: { form: /(\d{2}|\d{4})er(?![\p{L}\p{M}])/uy, notAfter: null, say: (from) => `${germanCardinal(Number(from))}er` },
}

/** Nouns that are counted by ordinals, with their gender. */
const COUNTED: Readonly<Record<string, 'm' | 'f' | 'n'>> = {
  ...Object.fromEntries(
    'Platz Rang Geburtstag Hochzeitstag Todestag Tag Monat Stock Akt Teil Band Satz Versuch Spieltag Test Weltkrieg Bezirk Preis Advent Grad Gang'
      .split(' ')
      .map((noun) => [noun, 'm' as const]),
  ),
  ...Object.fromEntries(
    'Klasse Runde Woche Etage Auflage Liga Halbzeit Strophe Szene Folge Staffel Generation Minute Stunde Sitzung Ausgabe Stufe Etappe'
      .split(' ')
      .map((noun) => [noun, 'f' as const]),
  ),
  ...Object.fromEntries(
    'Jahrhundert Jahrtausend Mal Jahr Kapitel Buch Semester Quartal Viertel Jubiläum Spiel Tor Kind Schuljahr Obergeschoss'
      .split(' ')
      .map((noun) => [noun, 'n' as const]),
  ),
}
/** Ending without an article before: "erster Platz", "erste Klasse", "erstes Mal". */
function strongEnding(noun: string): string | null {
  const gender = Object.hasOwn(COUNTED, noun) ? COUNTED[noun] : undefined
  return gender === undefined ? null : gender === 'm' ? 'r' : gender === 'n' ? 's' : ''
}

function weakEnding(before: string): string | null {
  const word = before.toLowerCase()
  return WEAK_N.has(word) ? 'n' : WEAK.has(word) ? '' : null
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
