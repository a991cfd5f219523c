// Spanish.
import { spanishSentences as sentences } from '#shared/text/segmentation/romance.ts'
import { spanishCardinal, spanishOrdinal } from '../cardinals/spanish.ts'
import { currencies, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')
const FRACTIONS: Readonly<Record<number, readonly [string, string]>> = { 2: ['medio', 'medios'], 3: ['tercio', 'tercios'] }

/** Words after a number that are no nouns. */
const SMALL_WORDS = wordSet('que con por para sin según desde hasta son eran fue sobre entre como pero los las del más menos')

export const spanish: Language = {
  cardinal: spanishCardinal,
  ordinal: spanishOrdinal,
  year: (value) => spanishCardinal(value),
  decimalMark: ',',
  groupMarks: '.\u00a0\u202f',
  readsDecimalsAsNumber: true,
  dateOrder: 'dmy',
  say: { point: 'coma', minus: 'menos', to: 'a', over: 'sobre', and: 'y', moneyAnd: 'con', ofScale: (noun) => `de ${noun}` },
  date: ({ day, month, year }) =>
    `${day === 1 ? 'primero' : spanishCardinal(day)} de ${MONTHS[month - 1]}${year === null ? '' : ` de ${spanishCardinal(year)}`}`,
  time: ({ hours, minutes, seconds }) => {
    const clock = `${spanishCardinal(hours, 'f')}${minutes ? ` y ${spanishCardinal(minutes)}` : ' en punto'}`
    return seconds === null ? clock : `${clock} y ${spanishCardinal(seconds, 'm')} ${seconds === 1 ? 'segundo' : 'segundos'}`
  },
  timeForm: null,
  fraction: (numerator, denominator) => {
    if (denominator > 10) return null
    const [one, many] = FRACTIONS[denominator] ?? [spanishOrdinal(denominator), `${spanishOrdinal(denominator)}s`]
    return `${spanishCardinal(numerator, 'm')} ${numerator === 1 ? one : many}`
  },
  ordinalMark: /\.?(er|[ºª])(?![\p{L}\p{M}])/uy,
  genderOfMark: (mark) => (mark === 'ª' ? 'f' : 'm'),
  months: monthNames('enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre setiembre|octubre|noviembre|diciembre'),
  scaleGender: 'm',
  capitalMonths: false,
  currencies: currencies({
    EUR: ['euro|euros', 'céntimo|céntimos'],
    USD: ['dólar|dólares', 'centavo|centavos'],
    MXN: ['peso|pesos', 'centavo|centavos'],
    GBP: ['libra|libras|f', 'penique|peniques'],
    CHF: ['franco suizo|francos suizos', 'céntimo|céntimos'],
    JPY: ['yen|yenes'],
    CNY: ['yuan|yuanes'],
    INR: ['rupia|rupias|f'],
  }),
  scales: pairs('mil=mil|millón=millón|millones=millones|billón=billón|billones=billones'),
  units: nouns({
    km: 'kilómetro|kilómetros',
    m: 'metro|metros',
    cm: 'centímetro|centímetros',
    mm: 'milímetro|milímetros',
    'km²': 'kilómetro cuadrado|kilómetros cuadrados',
    'm²': 'metro cuadrado|metros cuadrados',
    'm³': 'metro cúbico|metros cúbicos',
    kg: 'kilogramo|kilogramos',
    g: 'gramo|gramos',
    mg: 'miligramo|miligramos',
    t: 'tonelada|toneladas|f',
    l: 'litro|litros',
    L: 'litro|litros',
    ml: 'mililitro|mililitros',
    h: 'hora|horas|f',
    min: 'minuto|minutos',
    s: 'segundo|segundos',
    ms: 'milisegundo|milisegundos',
    'km/h': 'kilómetro por hora|kilómetros por hora',
    'm/s': 'metro por segundo|metros por segundo',
    Hz: 'hercio|hercios',
    kHz: 'kilohercio|kilohercios',
    MHz: 'megahercio|megahercios',
    GHz: 'gigahercio|gigahercios',
    W: 'vatio|vatios',
    kW: 'kilovatio|kilovatios',
    MW: 'megavatio|megavatios',
    kWh: 'kilovatio hora|kilovatios hora',
    V: 'voltio|voltios',
    KB: 'kilobyte|kilobytes',
    MB: 'megabyte|megabytes',
    GB: 'gigabyte|gigabytes',
    TB: 'terabyte|terabytes',
    dB: 'decibelio|decibelios',
    '°': 'grado|grados',
    '°C': 'grado Celsius|grados Celsius',
    '°F': 'grado Fahrenheit|grados Fahrenheit',
    '%': 'por ciento',
    '‰': 'por mil',
  }),
  abbreviations: {
    name: pairs(
      'Sr=Señor|Sra=Señora|Srta=Señorita|Sres=Señores|Dr=Doctor|Dra=Doctora|D=Don|Dña=Doña|Prof=Profesor|Sta=Santa|Sto=Santo|Ud=usted|Uds=ustedes',
    ),
    number: pairs('n°=número|núm=número|pág=página|págs=páginas|cap=capítulo|vol=volumen|art=artículo|fig=figura|tel=teléfono'),
    any: pairs(
      'etc=etcétera|p. ej=por ejemplo|p.ej=por ejemplo|aprox=aproximadamente|Ud=usted|Uds=ustedes|EE. UU=Estados Unidos|EE.UU=Estados Unidos|a. C=antes de Cristo|d. C=después de Cristo|avda=avenida|Avda=Avenida',
    ),
    bare: wordSet('Sr Sra Srta Dr Dra'),
  },
  sentences,
  regnalNames: wordSet(
    'Felipe Carlos Alfonso Fernando Isabel Juan Juana Pablo Benedicto Pío León Gregorio Clemente Luis Enrique Napoleón Jorge Eduardo Pedro Sancho Jaime Alejandro Nicolás Catalina Guillermo Federico Ramiro Francisco',
  ),
  regnal: (value, name) =>
    value <= 10 ? spanishOrdinal(value, /^(?:Isabel|Juana|Catalina)$/.test(name) ? 'f' : 'm') : spanishCardinal(value),
  chapterWords: {
    capítulo: 'cardinal',
    parte: 'cardinal',
    tomo: 'cardinal',
    libro: 'cardinal',
    volumen: 'cardinal',
    acto: 'cardinal',
    escena: 'cardinal',
    siglo: 'cardinal',
    sección: 'cardinal',
    artículo: 'cardinal',
  },
  romanOrdinal: null,
  stopOrdinal: null,
  genderOf: (noun) =>
    noun === '' || SMALL_WORDS.has(noun) ? undefined : /(?:as?|vez|veces|ci[oó]n(?:es)?|dad(?:es)?|tud)$/.test(noun) ? 'f' : 'm',
  isIWord: false,
  decade: null,
}
