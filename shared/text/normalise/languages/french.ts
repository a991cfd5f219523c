// French.
import { frenchSentences as sentences } from '#shared/text/segmentation/romance.ts'
import { frenchCardinal, frenchOrdinal } from '../cardinals/french.ts'
import { currencies, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ')
const FRACTIONS: Readonly<Record<number, readonly [string, string]>> = {
  2: ['demi', 'demis'],
  3: ['tiers', 'tiers'],
  4: ['quart', 'quarts'],
}

export const french: Language = {
  cardinal: frenchCardinal,
  ordinal: frenchOrdinal,
  year: (value) => frenchCardinal(value),
  decimalMark: ',',
  groupMarks: ' .\u00a0\u202f',
  readsDecimalsAsNumber: true,
  dateOrder: 'dmy',
  say: {
    point: 'virgule',
    minus: 'moins',
    to: 'à',
    over: 'sur',
    and: 'et',
    moneyAnd: 'et',
    ofScale: (noun) => (/^[aeiouyéh]/i.test(noun) ? `d'${noun}` : `de ${noun}`),
  },
  date: ({ day, month, year }) =>
    `${day === 1 ? 'premier' : frenchCardinal(day)} ${MONTHS[month - 1]}${year === null ? '' : ` ${frenchCardinal(year)}`}`,
  time: ({ hours, minutes, seconds }) => {
    const clock = `${frenchCardinal(hours, 'f')} ${hours < 2 ? 'heure' : 'heures'}${minutes ? ` ${frenchCardinal(minutes, 'f')}` : ''}`
    return seconds === null ? clock : `${clock} et ${frenchCardinal(seconds, 'f')} ${seconds < 2 ? 'seconde' : 'secondes'}`
  },
  timeForm: /(\d{1,2})[ \u00a0\u202f]?h[ \u00a0\u202f]?(\d{2})(?![\d\p{L}])/uy,
  fraction: (numerator, denominator) => {
    const [one, many] = FRACTIONS[denominator] ?? [frenchOrdinal(denominator), `${frenchOrdinal(denominator)}s`]
    return `${frenchCardinal(numerator)} ${numerator === 1 ? one : many}`
  },
  ordinalMark: /(ers?|res?|ères?|èmes?|es?|nde?)(?![\p{L}\p{M}])/uy,
  genderOfMark: (mark) => (/^(?:re|ère|nde)/.test(mark) ? 'f' : 'm'),
  months: monthNames('janvier janv|février févr|mars|avril avr|mai|juin|juillet juil|août|septembre|octobre oct|novembre nov|décembre déc'),
  scaleGender: 'm',
  capitalMonths: false,
  currencies: currencies({
    EUR: ['euro|euros', 'centime|centimes'],
    USD: ['dollar|dollars', 'cent|cents'],
    GBP: ['livre|livres|f', 'penny|pence'],
    CHF: ['franc suisse|francs suisses', 'centime|centimes'],
    CAD: ['dollar canadien|dollars canadiens', 'cent|cents'],
    JPY: ['yen|yens'],
    CNY: ['yuan|yuans'],
    INR: ['roupie|roupies|f'],
  }),
  scales: pairs('mille=mille|million=million|millions=millions|milliard=milliard|milliards=milliards|M=millions|Md=milliards'),
  units: nouns({
    km: 'kilomètre|kilomètres',
    m: 'mètre|mètres',
    cm: 'centimètre|centimètres',
    mm: 'millimètre|millimètres',
    'km²': 'kilomètre carré|kilomètres carrés',
    'm²': 'mètre carré|mètres carrés',
    'm³': 'mètre cube|mètres cubes',
    kg: 'kilogramme|kilogrammes',
    g: 'gramme|grammes',
    mg: 'milligramme|milligrammes',
    t: 'tonne|tonnes|f',
    l: 'litre|litres',
    L: 'litre|litres',
    ml: 'millilitre|millilitres',
    cl: 'centilitre|centilitres',
    h: 'heure|heures|f',
    min: 'minute|minutes|f',
    s: 'seconde|secondes|f',
    ms: 'milliseconde|millisecondes|f',
    'km/h': 'kilomètre heure|kilomètres heure',
    'm/s': 'mètre par seconde|mètres par seconde',
    Hz: 'hertz',
    kHz: 'kilohertz',
    MHz: 'mégahertz',
    GHz: 'gigahertz',
    W: 'watt|watts',
    kW: 'kilowatt|kilowatts',
    MW: 'mégawatt|mégawatts',
    kWh: 'kilowattheure|kilowattheures',
    V: 'volt|volts',
    Ko: 'kilooctet|kilooctets',
    Mo: 'mégaoctet|mégaoctets',
    Go: 'gigaoctet|gigaoctets',
    To: 'téraoctet|téraoctets',
    dB: 'décibel|décibels',
    '°': 'degré|degrés',
    '°C': 'degré Celsius|degrés Celsius',
    '°F': 'degré Fahrenheit|degrés Fahrenheit',
    '%': 'pour cent',
    '‰': 'pour mille',
  }),
  abbreviations: {
    name: pairs(
      'M=Monsieur|MM=Messieurs|Mme=Madame|Mmes=Mesdames|Mlle=Mademoiselle|Mlles=Mesdemoiselles|Dr=Docteur|Pr=Professeur|Me=Maître|St=Saint|Ste=Sainte',
    ),
    number: pairs('no=numéro|n°=numéro|p=page|pp=pages|chap=chapitre|vol=volume|art=article|fig=figure|tél=téléphone'),
    any: pairs(
      'etc=et cetera|p. ex=par exemple|p.ex=par exemple|c.-à-d=c’est-à-dire|env=environ|cf=confer|av. J.-C=avant Jésus-Christ|apr. J.-C=après Jésus-Christ|bd=boulevard',
    ),
    bare: wordSet('Mme Mmes Mlle Mlles Dr Pr'),
  },
  sentences,
  regnalNames: wordSet(
    'Louis Charles Henri François Philippe Napoléon Jean Paul Benoît Pie Léon Grégoire Clément Élisabeth Elisabeth Catherine Pierre Nicolas Alexandre Guillaume Frédéric Georges Édouard Edouard Jacques Richard Léopold Albert Otton',
  ),
  regnal: (value, name) => (value === 1 ? frenchOrdinal(1, /^(?:[ÉE]lisabeth|Catherine)$/.test(name) ? 'f' : 'm') : frenchCardinal(value)),
  chapterWords: {
    chapitre: 'cardinal',
    partie: 'cardinal',
    tome: 'cardinal',
    livre: 'cardinal',
    volume: 'cardinal',
    acte: 'cardinal',
    scène: 'cardinal',
    section: 'cardinal',
    article: 'cardinal',
  },
  romanOrdinal: /([IVX]|[IVXLC]{2,15})(?:er|re|e|ème)(?![\p{L}\p{M}])/uy,
  stopOrdinal: null,
  genderOf: () => undefined,
  isIWord: false,
  decade: null,
}
