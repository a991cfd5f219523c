// Italian.
import { italianSentences as sentences } from '#shared/text/segmentation/romance.ts'
import { italianCardinal, italianOrdinal } from '../cardinals/italian.ts'
import { currencies, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' ')

export const italian: Language = {
  cardinal: italianCardinal,
  ordinal: italianOrdinal,
  year: (value) => italianCardinal(value),
  decimalMark: ',',
  groupMarks: '.\u00a0\u202f',
  readsDecimalsAsNumber: true,
  dateOrder: 'dmy',
  say: { point: 'virgola', minus: 'meno', to: 'a', over: 'su', and: 'e', moneyAnd: 'e', ofScale: (noun) => `di ${noun}` },
  date: ({ day, month, year }) =>
    `${day === 1 ? 'primo' : italianCardinal(day)} ${MONTHS[month - 1]}${year === null ? '' : ` ${italianCardinal(year)}`}`,
  time: ({ hours, minutes, seconds }) => {
    const clock = `${italianCardinal(hours, hours === 1 ? 'f' : undefined)}${minutes ? ` e ${italianCardinal(minutes)}` : ' in punto'}`
    return seconds === null ? clock : `${clock} e ${italianCardinal(seconds, 'm')} ${seconds === 1 ? 'secondo' : 'secondi'}`
  },
  timeForm: null,
  fraction: (numerator, denominator) => {
    const one = denominator === 2 ? 'mezzo' : italianOrdinal(denominator)
    return `${italianCardinal(numerator, 'm')} ${numerator === 1 ? one : `${one.slice(0, -1)}i`}`
  },
  ordinalMark: /([ºª°])(?![\p{L}\p{M}])/uy,
  genderOfMark: (mark) => (mark === 'ª' ? 'f' : 'm'),
  months: monthNames(
    'gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set|ottobre ott|novembre nov|dicembre dic',
  ),
  scaleGender: 'm',
  capitalMonths: false,
  currencies: currencies({
    EUR: ['euro', 'centesimo|centesimi'],
    USD: ['dollaro|dollari', 'centesimo|centesimi'],
    GBP: ['sterlina|sterline|f', 'penny|pence'],
    CHF: ['franco svizzero|franchi svizzeri', 'centesimo|centesimi'],
    JPY: ['yen'],
    CNY: ['yuan'],
    INR: ['rupia|rupie|f'],
  }),
  scales: pairs('mila=mila|milione=milione|milioni=milioni|miliardo=miliardo|miliardi=miliardi|mln=milioni|mld=miliardi'),
  units: nouns({
    km: 'chilometro|chilometri',
    m: 'metro|metri',
    cm: 'centimetro|centimetri',
    mm: 'millimetro|millimetri',
    'km²': 'chilometro quadrato|chilometri quadrati',
    'm²': 'metro quadrato|metri quadrati',
    mq: 'metro quadrato|metri quadrati',
    'm³': 'metro cubo|metri cubi',
    kg: 'chilogrammo|chilogrammi',
    g: 'grammo|grammi',
    mg: 'milligrammo|milligrammi',
    t: 'tonnellata|tonnellate|f',
    l: 'litro|litri',
    ml: 'millilitro|millilitri',
    h: 'ora|ore|f',
    min: 'minuto|minuti',
    s: 'secondo|secondi',
    ms: 'millisecondo|millisecondi',
    'km/h': 'chilometro all’ora|chilometri all’ora',
    'm/s': 'metro al secondo|metri al secondo',
    Hz: 'hertz',
    kHz: 'kilohertz',
    MHz: 'megahertz',
    GHz: 'gigahertz',
    W: 'watt',
    kW: 'kilowatt',
    MW: 'megawatt',
    kWh: 'kilowattora',
    V: 'volt',
    KB: 'kilobyte',
    MB: 'megabyte',
    GB: 'gigabyte',
    TB: 'terabyte',
    dB: 'decibel',
    '°': 'grado|gradi',
    '°C': 'grado Celsius|gradi Celsius',
    '°F': 'grado Fahrenheit|gradi Fahrenheit',
    '%': 'per cento',
    '‰': 'per mille',
  }),
  abbreviations: {
    name: pairs(
      'Sig=Signor|Sig.ra=Signora|Sig.na=Signorina|sig=signor|Dott=Dottor|dott=dottor|Dott.ssa=Dottoressa|Dr=Dottor|Prof=Professor|prof=professor|Prof.ssa=Professoressa|Ing=Ingegner|Avv=Avvocato|On=Onorevole|S=San',
    ),
    number: pairs('n=numero|n°=numero|pag=pagina|pagg=pagine|cap=capitolo|vol=volume|art=articolo|fig=figura|tel=telefono'),
    any: pairs(
      'ecc=eccetera|es=esempio|p.es=per esempio|p. es=per esempio|ad es=ad esempio|a.C=avanti Cristo|d.C=dopo Cristo|a. C=avanti Cristo|d. C=dopo Cristo|ca=circa',
    ),
    bare: wordSet('Dr Sig Prof Sig.ra Sig.na Dott.ssa Prof.ssa'),
  },
  sentences,
  regnalNames: wordSet(
    'Luigi Carlo Enrico Vittorio Emanuele Umberto Giovanni Paolo Benedetto Pio Leone Gregorio Clemente Innocenzo Bonifacio Federico Filippo Francesco Giorgio Napoleone Elisabetta Caterina Pietro Nicola Alessandro Guglielmo Edoardo Ferdinando',
  ),
  regnal: (value, name) => italianOrdinal(value, /^(?:Elisabetta|Caterina)$/.test(name) ? 'f' : 'm'),
  chapterWords: {
    capitolo: 'cardinal',
    parte: 'cardinal',
    tomo: 'cardinal',
    libro: 'cardinal',
    volume: 'cardinal',
    atto: 'cardinal',
    scena: 'cardinal',
    secolo: 'ordinal',
    articolo: 'cardinal',
  },
  romanOrdinal: /([IVX]|[IVXLC]{2,15})(?= secol[oi](?![\p{L}\p{M}]))/uy,
  stopOrdinal: null,
  genderOf: (noun) => (/a$/.test(noun) ? 'f' : /[oe]$/.test(noun) ? 'm' : undefined),
  isIWord: false,
  decade: null,
}
