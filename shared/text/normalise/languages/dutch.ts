// Dutch.
import { dutchSentences as sentences } from '#shared/text/segmentation/germanic.ts'
import { dutchCardinal, dutchOrdinal, dutchYear } from '../cardinals/dutch.ts'
import { currencies, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'januari februari maart april mei juni juli augustus september oktober november december'.split(' ')
/** The rest of a word that a number starts, as in "18-jarige". */
const JOINED = /^-(?:jarig|jaars|daags|delig|voudig|urig|koppig|persoons|kamer|deurs|maandelijks|sterren|gangen|puntig|hoekig|talig)/

export const dutch: Language = {
  cardinal: dutchCardinal,
  ordinal: dutchOrdinal,
  year: dutchYear,
  decimalMark: ',',
  hasDecimalPoint: true,
  dateMarks: './-',
  groupMarks: ' .\u00a0\u202f',
  readsDecimalsAsNumber: true,
  dateOrder: 'dmy',
  say: {
    point: 'komma',
    minus: 'min',
    to: 'tot',
    ratio: 'tegen',
    plus: 'plus',
    by: 'bij',
    per: 'per',
    dot: 'punt',
    over: 'op',
    and: 'en',
    moneyAnd: 'en',
    ofScale: (noun) => noun,
  },
  marks: {
    '@': 'apenstaartje',
    '.': 'punt',
    '/': 'slash',
    '-': 'streepje',
    _: 'laag streepje',
    ':': 'dubbele punt',
    '?': 'vraagteken',
    '=': 'is',
    '&': 'en',
    '%': 'procent',
    '+': 'plus',
    '~': 'tilde',
    '#': 'hashtag',
  },
  signs: {
    '§': 'paragraaf',
    '№': 'nummer',
    '±': 'plus min',
    '≈': 'ongeveer',
    '~': 'ongeveer',
    '≤': 'hoogstens',
    '≥': 'minstens',
    '<': 'minder dan',
    '>': 'meer dan',
  },
  operators: { '+': 'plus', '-': 'min', '−': 'min', '=': 'is', '×': 'keer', '*': 'keer', '÷': 'gedeeld door' },
  telephone: {
    before: /(?:^|[^\p{L}])(?:tel|telefoon|telefoonnummer|fax|mobiel|bel|nummer)[.:]?(?: op)?:? $/u,
    local: null,
    readsCountryAsNumber: true,
  },
  date: ({ day, month, year }) => `${dutchCardinal(day)} ${MONTHS[month - 1]}${year === null ? '' : ` ${dutchYear(year)}`}`,
  dateWords: wordSet('op van tot vanaf sinds per voor na'),
  halfDay: null,
  hourOnly: dutchCardinal,
  time: ({ hours, minutes, seconds }) => {
    const clock = `${dutchCardinal(hours)} uur${minutes ? ` ${dutchCardinal(minutes)}` : ''}`
    if (seconds === null) return clock
    return `${clock}${minutes ? '' : ' nul'} en ${dutchCardinal(seconds)} ${seconds === 1 ? 'seconde' : 'seconden'}`
  },
  hourMark: /[ \u00a0\u202f]?(?:uur|u\.(?=[ \u00a0]\p{Ll})|u)(?![\p{L}\p{M}])/uy,
  timeForm: /(\d{1,2})\.(\d{2})(?=[ \u00a0\u202f](?:uur|u)(?![\p{L}\p{M}]))/uy,
  fraction: (numerator, denominator) => {
    if (denominator === 2) return numerator === 1 ? 'een half' : `${dutchCardinal(numerator)} halve`
    const part = denominator === 4 ? 'kwart' : dutchOrdinal(denominator)
    return `${numerator === 1 ? 'een' : dutchCardinal(numerator)} ${part}`
  },
  mixed: (whole, fraction) => {
    if (fraction !== 'een half' || whole.length > 2) return null
    const words = dutchCardinal(Number(whole))
    return whole === '1' ? 'anderhalf' : `${words}${words.endsWith('e') ? 'ë' : 'e'}nhalf`
  },
  ordinalMark: /(e|de|ste|ᵉ|-\p{Ll}{4,20})(?![\p{L}\p{M}\p{N}])/uy,
  genderOfMark: () => 'm',
  ofMark: (value, mark) => {
    if (!mark.startsWith('-')) return dutchOrdinal(value)
    return JOINED.test(mark) ? `${dutchCardinal(value).replace('één', 'een')}${mark.slice(1)}` : null
  },
  months: monthNames(
    'januari jan|februari feb febr|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep sept|oktober okt|november nov|december dec',
  ),
  scaleGender: 'm',
  capitalMonths: false,
  currencies: currencies({
    EUR: ['euro', 'cent'],
    USD: ['dollar', 'cent'],
    GBP: ['pond', 'penny|pence'],
    CHF: ['Zwitserse frank', 'rappen'],
    JPY: ['yen'],
    CNY: ['yuan'],
    INR: ['roepie'],
    RUB: ['roebel', 'kopeke|kopeken'],
  }),
  scales: pairs(
    'duizend=duizend|miljoen=miljoen|miljard=miljard|biljoen=biljoen|mln=miljoen|mln.=miljoen|mld=miljard|mld.=miljard|mio=miljoen|mio.=miljoen|mrd=miljard|mrd.=miljard',
  ),
  units: nouns({
    km: 'kilometer',
    m: 'meter',
    cm: 'centimeter',
    mm: 'millimeter',
    'km²': 'vierkante kilometer',
    'm²': 'vierkante meter',
    'cm²': 'vierkante centimeter',
    'm³': 'kubieke meter',
    'cm³': 'kubieke centimeter',
    ha: 'hectare',
    kg: 'kilogram',
    g: 'gram',
    gr: 'gram',
    mg: 'milligram',
    t: 'ton',
    l: 'liter',
    L: 'liter',
    dl: 'deciliter',
    cl: 'centiliter',
    ml: 'milliliter',
    x: 'keer',
    u: 'uur',
    h: 'uur',
    min: 'minuut|minuten',
    'min.': 'minuut|minuten',
    sec: 'seconde|seconden',
    'sec.': 'seconde|seconden',
    s: 'seconde|seconden',
    ms: 'milliseconde|milliseconden',
    'km/u': 'kilometer per uur',
    'km/h': 'kilometer per uur',
    'm/s': 'meter per seconde',
    kcal: 'kilocalorie|kilocalorieën',
    kJ: 'kilojoule',
    Hz: 'hertz',
    kHz: 'kilohertz',
    MHz: 'megahertz',
    GHz: 'gigahertz',
    W: 'watt',
    kW: 'kilowatt',
    MW: 'megawatt',
    kWh: 'kilowattuur',
    V: 'volt',
    kV: 'kilovolt',
    pk: 'paardenkracht',
    kB: 'kilobyte',
    MB: 'megabyte',
    GB: 'gigabyte',
    TB: 'terabyte',
    'Mbit/s': 'megabit per seconde',
    dB: 'decibel',
    '°': 'graad|graden',
    '°C': 'graad Celsius|graden Celsius',
    '°F': 'graad Fahrenheit|graden Fahrenheit',
    '%': 'procent',
    '‰': 'promille',
  }),
  rates: pairs('u=uur|uur=uur|dag=dag|mnd=maand|maand=maand|jr=jaar|jaar=jaar|wk=week|min=minuut|s=seconde|st=stuk|pp=persoon|p.p=persoon'),
  abbreviations: {
    name: pairs(
      'dhr=de heer|mevr=mevrouw|mw=mevrouw|dr=doctor|drs=doctorandus|prof=professor|ir=ingenieur|ing=ingenieur|mr=meester|ds=dominee|st=sint|jhr=jonkheer',
    ),
    number: pairs(
      'nr=nummer|nrs=nummers|blz=bladzijde|p=pagina|pp=pagina’s|art=artikel|hfst=hoofdstuk|afb=afbeelding|fig=figuur|dl=deel|tel=telefoon|par=paragraaf|bijl=bijlage',
    ),
    any: pairs(
      'bijv=bijvoorbeeld|bv=bijvoorbeeld|enz=enzovoort|etc=et cetera|d.w.z=dat wil zeggen|dwz=dat wil zeggen|o.a=onder andere|e.d=en dergelijke|e.a=en anderen|m.a.w=met andere woorden|i.p.v=in plaats van|t.a.v=ten aanzien van|t.o.v=ten opzichte van|n.a.v=naar aanleiding van|i.v.m=in verband met|m.b.t=met betrekking tot|m.b.v=met behulp van|a.u.b=alstublieft|z.s.m=zo snel mogelijk|v.a=vanaf|t.e.m=tot en met|incl=inclusief|excl=exclusief|evt=eventueel|ca=circa|vgl=vergelijk|zgn=zogenaamd|resp=respectievelijk|v.Chr=voor Christus|n.Chr=na Christus|v. Chr=voor Christus|n. Chr=na Christus|mln=miljoen|mld=miljard|tel=telefoon',
    ),
    bare: wordSet('dhr mevr mw dr drs prof ir ing nr blz bijv enz mln mld'),
    tied: pairs('t/m=tot en met|T/m=Tot en met|c/o=per adres|a/d=aan de|b/d=bij de|d/d=de dato|m/v=man of vrouw'),
  },
  sentences,
  regnalNames: wordSet(
    'Willem Lodewijk Karel Hendrik Filips Napoleon Johannes Paulus Benedictus Pius Leo Gregorius Elizabeth Catharina Peter Nicolaas Alexander Frederik George Leopold Boudewijn Albert Otto Floris Jan Frans Jozef',
  ),
  regnal: (value) => `de ${dutchOrdinal(value)}`,
  chapterWords: {
    hoofdstuk: 'cardinal',
    deel: 'cardinal',
    boek: 'cardinal',
    band: 'cardinal',
    akte: 'cardinal',
    scène: 'cardinal',
    bijlage: 'cardinal',
    wereldoorlog: 'cardinal',
  },
  romanOrdinal: /([IVX]|[IVXLC]{2,15})(?:e|de|ste)(?![\p{L}\p{M}])/uy,
  stopOrdinal: null,
  genderOf: () => undefined,
  isIWord: false,
  decade: null,
}
