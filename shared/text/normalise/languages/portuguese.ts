// Portuguese, of Brazil or of Portugal.
import { portugueseSentences as sentences } from '#shared/text/segmentation/romance.ts'
import { portugueseCardinal, portugueseOrdinal } from '../cardinals/portuguese.ts'
import { currencies, type Gender, type Language, monthNames, nouns, pairs, wordSet } from '../language.ts'

const MONTHS = 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')
const FRACTIONS: Readonly<Record<number, readonly [string, string]>> = { 2: ['meio', 'meios'], 3: ['terço', 'terços'] }

/** Long factory: one table of the language; both varieties share it. */
function createPortuguese(isEuropean: boolean): Language {
  const cardinal = (value: number, gender?: Gender) => portugueseCardinal(value, isEuropean, gender)
  const ordinal = (value: number, gender?: Gender) => portugueseOrdinal(value, isEuropean, gender)
  return {
    cardinal,
    ordinal,
    year: (value) => cardinal(value),
    decimalMark: ',',
    groupMarks: '.\u00a0\u202f',
    readsDecimalsAsNumber: true,
    dateOrder: 'dmy',
    say: {
      point: 'vírgula',
      minus: 'menos',
      to: 'a',
      ratio: 'a',
      plus: 'mais',
      by: 'por',
      per: 'por',
      dot: 'ponto',
      over: 'sobre',
      and: 'e',
      moneyAnd: 'e',
      ofScale: (noun) => `de ${noun}`,
    },
    marks: {
      '@': 'arroba',
      '.': 'ponto',
      '/': 'barra',
      '-': 'hífen',
      _: 'sublinhado',
      ':': 'dois pontos',
      '?': 'interrogação',
      '=': 'igual',
      '&': 'e',
      '%': 'por cento',
      '+': 'mais',
      '~': 'til',
      '#': 'hashtag',
    },
    signs: {
      '§': 'parágrafo',
      '±': 'mais ou menos',
      '≈': 'aproximadamente',
      '~': 'cerca de',
      '≤': 'no máximo',
      '≥': 'no mínimo',
      '<': 'menos de',
      '>': 'mais de',
    },
    operators: { '+': 'mais', '-': 'menos', '−': 'menos', '=': 'é igual a', '×': 'vezes', '*': 'vezes', '÷': 'dividido por' },
    telephone: {
      before: /\b(?:tel|telefone|celular|telemóvel|fax|ligue)[.:]?(?: para)?(?: o)?:? $/,
      local: /(?:\d{2}[ \u00a0])?\d{3,5}-\d{4}(?![\d/-])/y,
      readsCountryAsNumber: true,
    },
    date: ({ day, month, year }) =>
      `${day === 1 ? 'primeiro' : cardinal(day)} de ${MONTHS[month - 1]}${year === null ? '' : ` de ${cardinal(year)}`}`,
    dateWords: wordSet('em no dia do de até desde a'),
    halfDay: null,
    hourOnly: (hours) => cardinal(hours, 'f'),
    time: ({ hours, minutes, seconds }) => {
      const hour = `${cardinal(hours, 'f')} ${hours === 1 ? 'hora' : 'horas'}`
      if (seconds === null) return `${hour}${minutes ? ` e ${cardinal(minutes)}` : ''}`
      const counted = (value: number, unit: string) => `${cardinal(value)} ${unit}${value === 1 ? '' : 's'}`
      return `${hour} e ${counted(minutes, 'minuto')} e ${counted(seconds, 'segundo')}`
    },
    hourMark: null,
    timeForm: /(\d{1,2})[hH](\d{2})(?![\d\p{L}])/uy,
    fraction: (numerator, denominator) => {
      if (denominator > 10) return `${cardinal(numerator)} ${cardinal(denominator)} avos`
      const [one, many] = FRACTIONS[denominator] ?? [ordinal(denominator), `${ordinal(denominator)}s`]
      return `${cardinal(numerator)} ${numerator === 1 ? one : many}`
    },
    ordinalMark: /\.?([ºª])(?![\p{L}\p{M}])/uy,
    genderOfMark: (mark) => (mark === 'ª' ? 'f' : 'm'),
    months: monthNames(
      'janeiro jan|fevereiro fev|março mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez',
    ),
    scaleGender: 'm',
    capitalMonths: false,
    currencies: currencies({
      BRL: ['real|reais', 'centavo|centavos'],
      EUR: isEuropean ? ['euro|euros', 'cêntimo|cêntimos'] : ['euro|euros', 'centavo|centavos'],
      USD: ['dólar|dólares', isEuropean ? 'cêntimo|cêntimos' : 'centavo|centavos'],
      GBP: ['libra|libras|f', 'penny|pence'],
      CHF: ['franco suíço|francos suíços', 'cêntimo|cêntimos'],
      JPY: isEuropean ? ['iene|ienes'] : ['iene|ienes'],
      CNY: ['yuan|yuans'],
      INR: ['rupia|rupias|f'],
    }),
    scales: pairs('mil=mil|milhão=milhão|milhões=milhões|bilhão=bilhão|bilhões=bilhões|mi=milhões|bi=bilhões'),
    units: nouns({
      km: 'quilômetro|quilômetros',
      m: 'metro|metros',
      cm: 'centímetro|centímetros',
      mm: 'milímetro|milímetros',
      'km²': 'quilômetro quadrado|quilômetros quadrados',
      'm²': 'metro quadrado|metros quadrados',
      'm³': 'metro cúbico|metros cúbicos',
      kg: 'quilograma|quilogramas',
      g: 'grama|gramas',
      mg: 'miligrama|miligramas',
      t: 'tonelada|toneladas|f',
      l: 'litro|litros',
      L: 'litro|litros',
      ml: 'mililitro|mililitros',
      h: 'hora|horas|f',
      min: 'minuto|minutos',
      s: 'segundo|segundos',
      ms: 'milissegundo|milissegundos',
      'km/h': 'quilômetro por hora|quilômetros por hora',
      'm/s': 'metro por segundo|metros por segundo',
      Hz: 'hertz',
      kHz: 'quilohertz',
      MHz: 'megahertz',
      GHz: 'gigahertz',
      W: 'watt|watts',
      kW: 'quilowatt|quilowatts',
      MW: 'megawatt|megawatts',
      kWh: 'quilowatt-hora|quilowatts-hora',
      V: 'volt|volts',
      KB: 'kilobyte|kilobytes',
      MB: 'megabyte|megabytes',
      GB: 'gigabyte|gigabytes',
      TB: 'terabyte|terabytes',
      dB: 'decibel|decibéis',
      '°': 'grau|graus',
      '°C': 'grau Celsius|graus Celsius',
      '°F': 'grau Fahrenheit|graus Fahrenheit',
      '%': 'por cento',
      '‰': 'por mil',
    }),
    rates: pairs('h=hora|d=dia|mês=mês|ano=ano|min=minuto|s=segundo|kg=quilograma|l=litro|km=quilômetro'),
    abbreviations: {
      name: pairs(
        'Sr=Senhor|Sra=Senhora|Srta=Senhorita|Dr=Doutor|Dra=Doutora|Prof=Professor|Profa=Professora|D=Dom|Sto=Santo|Sta=Santa|Eng=Engenheiro',
      ),
      number: pairs('n°=número|núm=número|pág=página|págs=páginas|cap=capítulo|vol=volume|art=artigo|fig=figura|tel=telefone'),
      any: pairs(
        'etc=et cetera|p. ex=por exemplo|p.ex=por exemplo|aprox=aproximadamente|séc=século|a.C=antes de Cristo|d.C=depois de Cristo|a. C=antes de Cristo|d. C=depois de Cristo|Av=Avenida|Ltda=Limitada',
      ),
      bare: wordSet('Sr Sra Srta Dr Dra'),
    },
    sentences,
    regnalNames: wordSet(
      'Pedro João Luís Carlos Afonso Manuel Filipe Fernando Sebastião Henrique José Maria Paulo Bento Pio Leão Gregório Clemente Napoleão Jorge Eduardo Elizabeth Isabel Catarina Nicolau Alexandre Guilherme Frederico Francisco',
    ),
    regnal: (value, name) =>
      value <= 10 ? ordinal(value, /^(?:Maria|Elizabeth|Isabel|Catarina)$/.test(name) ? 'f' : 'm') : cardinal(value),
    chapterWords: {
      capítulo: 'cardinal',
      parte: 'cardinal',
      tomo: 'cardinal',
      livro: 'cardinal',
      volume: 'cardinal',
      ato: 'cardinal',
      cena: 'cardinal',
      século: 'cardinal',
      seção: 'cardinal',
      artigo: 'cardinal',
    },
    romanOrdinal: null,
    stopOrdinal: null,
    genderOf: (noun) => (/as?$/.test(noun) ? 'f' : undefined),
    isIWord: false,
    decade: null,
  }
}

export const brazilian = createPortuguese(false)
export const european = createPortuguese(true)
