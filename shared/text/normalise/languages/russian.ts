// Russian.
import { russianSentences as sentences } from '#shared/text/segmentation/slavic.ts'
import { type RussianEnding, russianCardinal, russianGenitive, russianOrdinal, russianStem } from '../cardinals/russian.ts'
import { slavicAmountForm, slavicForm } from '../cardinals/slavic.ts'
import { formsAfter, inflectedCurrencies, inflectedNoun, inflectedNouns, type Language, monthNames, pairs, wordSet } from '../language.ts'

const MONTHS = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ')
/** Prepositions with the prepositional case. */
const PREPOSITIONAL = wordSet('в во о об на при')
const THOUSAND = inflectedNoun('тысяча|тысячи|тысяч')
const MILLION = inflectedNoun('миллион|миллиона|миллионов')
const MILLIARD = inflectedNoun('миллиард|миллиарда|миллиардов')
const BILLION = inflectedNoun('триллион|триллиона|триллионов')
const HOUR = inflectedNoun('час|часа|часов')
const MINUTE = inflectedNoun('минута|минуты|минут')
const SECOND = inflectedNoun('секунда|секунды|секунд')
const counted = (value: number, noun: typeof HOUR) => `${russianCardinal(value, noun.gender)} ${noun[slavicForm(value, true)]}`
/** Words before a time that is in the genitive. */
const BEFORE_GENITIVE = /(?:^|[^\p{L}])(?:с|до|от|после|около|позже|раньше) $/u
/** Names of decimal places, by the number of decimals. */
const PLACES = ' десят сот тысячн десятитысячн стотысячн миллионн'.split(' ')

/** Endings of ordinals in figures: "1-й", "2-я", "3-го"; longer ones first. */
const MARKS: readonly (readonly [RegExp, RussianEnding])[] = [
  [/го$/, 'ого'],
  [/му$/, 'ому'],
  [/ми$/, 'ыми'],
  [/[ыи]м$/, 'ым'],
  [/м$/, 'ом'],
  [/[йи]х$|^х$/, 'ых'],
  [/х$/, 'ых'],
  [/ю$/, 'ую'],
  [/я$/, 'ая'],
  [/[ыи]е$/, 'ые'],
  [/е$/, 'ое'],
  [/ей$/, 'ой'],
  [/й$/, 'ый'],
]

/** A number with the end of its word: "5-й", "20-летний", "5-ти", "2-х". */
function ofMark(value: number, mark: string): string | null {
  if (mark.length > 3) {
    const stem = russianStem(value)
    return stem === null ? null : `${stem}${mark}`
  }
  const isSmall = value > 1 && value < 5
  if (/^(?:ти|и|ух|ёх|рёх|вух)$/.test(mark) || (mark === 'х' && isSmall) || (mark === 'ми' && (value === 7 || value === 8)))
    return russianGenitive(value)
  const ending = MARKS.find(([end]) => end.test(mark))?.[1]
  if (ending === undefined) return null
  const isDecade = mark === 'е' && value % 10 === 0 && (value > 1000 || (value >= 20 && value < 100))
  return russianOrdinal(value, isDecade ? 'ые' : ending)
}

const YEAR_ENDINGS: Readonly<Record<string, RussianEnding>> = {
  год: 'ый',
  года: 'ого',
  годом: 'ым',
  годе: 'ом',
  годы: 'ые',
  годов: 'ых',
  годам: 'ым',
  годах: 'ых',
  годами: 'ыми',
  век: 'ый',
  века: 'ого',
  веку: 'ому',
  веком: 'ым',
  веке: 'ом',
  веков: 'ого',
  веках: 'ом',
}
/** Singular forms that no number counts, and adjectives of ordinals: "на 2 этаже", "II мировая". */
const SINGULAR: Readonly<Record<string, RussianEnding>> = {
  ...Object.fromEntries('этаже классе месте томе курсе ряду туре сезоне раунде уровне'.split(' ').map((noun) => [noun, 'ом' as const])),
  ...Object.fromEntries('минуте главе странице серии группе строке'.split(' ').map((noun) => [noun, 'ой' as const])),
  мировая: 'ая',
  мировой: 'ой',
  мировую: 'ую',
}
/** Short forms behind a preposition, and behind other words. */
const SHORT_NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  'г.': ['году', 'года'],
  г: ['году', 'года'],
  'гг.': ['годах', 'годов'],
  'в.': ['веке', 'века'],
  'вв.': ['веках', 'веков'],
}

/** A year or a century before the form of its noun. */
function ordinalWithNoun(value: number, noun: string, before: string): readonly [string, string] | null {
  const isPlace = PREPOSITIONAL.has(before)
  if (Object.hasOwn(SINGULAR, noun)) return value < 1 || value > 999 ? null : [russianOrdinal(value, SINGULAR[noun]), noun]
  const whole = Object.hasOwn(SHORT_NOUNS, noun) ? SHORT_NOUNS[noun]![isPlace ? 0 : 1] : noun
  // "21 год", "22 года" and "5 веков" are counted.
  if (whole.startsWith('в') ? value > 30 : value < 100 || value > 2999) return null
  // "500 г." and "1500 г, " are weights, and years behind a preposition.
  if (/^г\.?$/.test(noun) && !isPlace && (value < 1000 || noun === 'г')) return null
  if (value < 1000 && slavicForm(value, true) !== 'many' && whole === noun) return null
  const isYears = /^год(?:ов|ах)$/.test(whole)
  if (whole === 'году') return [russianOrdinal(value, isPlace ? 'ом' : 'ому'), whole]
  return [russianOrdinal(value, isYears ? (whole === 'годах' ? 'ом' : 'ого') : YEAR_ENDINGS[whole]!), whole]
}

/** Words behind 1 and 2 that look like nouns of another gender. */
const NO_NOUNS = wordSet('или если при мы вы они три ли ни пути')

/** Prepositions before a date in the accusative: "на первое мая". */
const ACCUSATIVE = wordSet('на по за')
/** Words before a number in the genitive: "до 5 км", "более 10 книг", and "с" where "до" follows. */
const GENITIVE = /(?:^|[^\p{L}])(?:до|от|из|без|около|более|менее|больше|меньше|свыше|после|кроме|среди|ок\.) $/u
const FROM = /(?:^|[^\p{L}])со? $/u
/** A year without its noun: "с 1990 по 1995 год", "до 1917." */
const BEFORE_YEAR = /(?:^|[^\p{L}])(?:со?|до|от|после) $/u
const YEAR_AFTER = /^[12]\d{3}(?=$|[.,;:!?)](?!\d)| (?:по|до|и|а) )/u
const TO_FOLLOWS = /^\d{1,9}(?: \p{L}{1,12}\.?)? до \d/u

/** Words of a decimal number; null for one without names of its places. */
function decimal(whole: string, decimals: string, cardinal: Language['cardinal'], [one, many]: readonly [string, string]): string | null {
  if (whole.length > 9 || decimals.length >= PLACES.length || (whole.length > 1 && whole.startsWith('0'))) return null
  const isOne = (value: number) => slavicForm(value, true) === 'one'
  const [units, parts] = [Number(whole), Number(decimals)]
  const place = `${PLACES[decimals.length]}${isOne(parts) ? one : many}`
  return `${cardinal(units, 'f')} ${isOne(units) ? `цел${one}` : 'целых'} ${cardinal(parts, 'f')} ${place}`
}

export const russian: Language = {
  inCase: (before, after) =>
    YEAR_AFTER.test(after) && BEFORE_YEAR.test(before)
      ? russianFromYear
      : GENITIVE.test(before) || (FROM.test(before) && TO_FOLLOWS.test(after))
        ? russianInGenitive
        : null,
  cardinal: russianCardinal,
  ordinal: (value, gender) => russianOrdinal(value, gender === 'f' ? 'ая' : gender === 'n' ? 'ое' : 'ый'),
  year: (value) => russianCardinal(value),
  decimalMark: ',',
  hasDecimalPoint: true,
  dateMarks: '.-',
  dayOfMonth: (day) => russianOrdinal(day, 'ого'),
  formFor: slavicAmountForm(true),
  decimal: (whole, decimals) => decimal(whole, decimals, russianCardinal, ['ая', 'ых']),
  groupMarks: ' \u00a0\u202f',
  readsDecimalsAsNumber: false,
  dateOrder: 'dmy',
  say: {
    point: 'запятая',
    minus: 'минус',
    to: '—',
    ratio: '—',
    plus: 'плюс',
    by: 'на',
    per: 'за',
    dot: 'точка',
    over: 'на',
    and: 'и',
    moneyAnd: '',
    ofScale: (noun) => noun,
  },
  marks: {
    '@': 'собака',
    '.': 'точка',
    '/': 'слэш',
    '-': 'дефис',
    _: 'подчёркивание',
    ':': 'двоеточие',
    '?': 'вопросительный знак',
    '=': 'равно',
    '&': 'и',
    '%': 'процент',
    '+': 'плюс',
    '~': 'тильда',
    '#': 'хештег',
  },
  signs: {
    '§': 'параграф',
    '№': 'номер',
    '±': 'плюс минус',
    '≈': 'примерно',
    '~': 'примерно',
    '≤': 'не больше',
    '≥': 'не меньше',
    '<': 'меньше',
    '>': 'больше',
  },
  operators: { '+': 'плюс', '-': 'минус', '−': 'минус', '=': 'равно', '×': 'умножить на', '*': 'умножить на', '÷': 'разделить на' },
  telephone: {
    before: /(?:^|[^\p{L}])(?:тел|телефон|телефону|факс|моб|номер|звоните)[.:]?(?: по)?:? $/u,
    local: /8[ -]?\(\d{3,5}\)[ -]?\d{1,3}[ -]\d{2}[ -]\d{2}(?!\d)|8-\d{3}-\d{3}-\d{2}-\d{2}(?![\d-])|\d{2,3}-\d{2}-\d{2}(?![\d-])/y,
    readsCountryAsNumber: true,
  },
  date: ({ day, month, year }, before) =>
    `${russianOrdinal(day, ACCUSATIVE.has(before.toLowerCase()) ? 'ое' : 'ого')} ${MONTHS[month - 1]}${year === null ? '' : ` ${russianOrdinal(year, 'ого')} года`}`,
  dateWords: wordSet('от с до по к на в после около датировано'),
  yearMark: /[ \u00a0\u202f]?(?:г\.|года?(?![\p{L}\p{M}])|г(?=[,;)]))/uy,
  halfDay: null,
  hourOnly: (hours) => counted(hours, HOUR),
  time: ({ hours, minutes, seconds }, before) => {
    if (seconds !== null) return [counted(hours, HOUR), counted(minutes, MINUTE), counted(seconds, SECOND)].join(' ')
    const isGenitive = BEFORE_GENITIVE.test(before)
    const say = (value: number) => (isGenitive ? russianGenitive(value) : russianCardinal(value))
    if (minutes === 0)
      return `${say(hours)} ${isGenitive ? (slavicForm(hours, true) === 'one' ? 'часа' : 'часов') : HOUR[slavicForm(hours, true)]}`
    return `${say(hours)} ${minutes < 10 ? `${say(0)} ` : ''}${say(minutes)}`
  },
  hourMark: /[ \u00a0\u202f]?(?:ч\.?|час(?:а|ов)?)(?![\p{L}\p{M}.])/uy,
  timeForm: null,
  fraction: (numerator, denominator) =>
    `${russianCardinal(numerator, 'f')} ${russianOrdinal(denominator, slavicForm(numerator, true) === 'one' ? 'ая' : 'ых')}`,
  mixed: (whole, fraction) => {
    const value = Number(whole)
    if (whole.length > 9) return null
    if (fraction === 'одна вторая') return value === 1 ? 'полтора' : `${russianCardinal(value)} с половиной`
    return `${russianCardinal(value, 'f')} ${slavicForm(value, true) === 'one' ? 'целая' : 'целых'} ${fraction}`
  },
  ordinalMark: /-(\p{Ll}{1,3}|\p{Ll}{4,20})(?![\p{L}\p{M}\p{N}-])/uy,
  genderOfMark: () => 'm',
  ofMark,
  ordinalNoun: {
    form: /[ \u00a0\u202f]?(этаже|классе|месте|томе|курсе|ряду|туре|сезоне|раунде|уровне|минуте|главе|странице|серии|группе|строке|миров(?:ая|ой|ую)(?= войн)|год(?:а|у|ом|е|ы|ов|ам|ах|ами)?|гг\.|г\.|г(?=[,;)])|(?<=[IVX] ?)(?:век(?:а|у|ом|е|ов|ах)?|вв\.|в\.))(?![\p{L}\p{M}])/uy,
    say: ordinalWithNoun,
  },
  months: monthNames(
    'января январь янв|февраля февраль фев февр|марта март мар|апреля апрель апр|мая май|июня июнь июн|июля июль июл|августа август авг|сентября сентябрь сен сент|октября октябрь окт|ноября ноябрь ноя нояб|декабря декабрь дек',
  ),
  scaleGender: 'm',
  capitalMonths: false,
  currencies: inflectedCurrencies({
    RUB: ['рубль|рубля|рублей', 'копейка|копейки|копеек'],
    USD: ['доллар|доллара|долларов', 'цент|цента|центов'],
    EUR: ['евро||||m', 'цент|цента|центов'],
    GBP: ['фунт|фунта|фунтов', 'пенс|пенса|пенсов'],
    CHF: ['швейцарский франк|швейцарских франка|швейцарских франков|швейцарского франка'],
    JPY: ['иена|иены|иен'],
    CNY: ['юань|юаня|юаней'],
    INR: ['рупия|рупии|рупий'],
    UAH: ['гривна|гривны|гривен', 'копейка|копейки|копеек'],
    KZT: ['тенге||||m'],
    BYN: ['белорусский рубль|белорусских рубля|белорусских рублей|белорусского рубля', 'копейка|копейки|копеек'],
  }),
  currencyMarks: { руб: 'RUB', р: 'RUB', долл: 'USD', грн: 'UAH' },
  scales: {
    ...Object.fromEntries('тыс тыс. тысяча тысячи тысяч'.split(' ').map((key) => [key, THOUSAND])),
    ...Object.fromEntries('млн млн. миллион миллиона миллионов'.split(' ').map((key) => [key, MILLION])),
    ...Object.fromEntries('млрд млрд. миллиард миллиарда миллиардов'.split(' ').map((key) => [key, MILLIARD])),
    ...Object.fromEntries('трлн трлн. триллион триллиона триллионов'.split(' ').map((key) => [key, BILLION])),
  },
  units: inflectedNouns({
    км: 'километр|километра|километров',
    м: 'метр|метра|метров',
    см: 'сантиметр|сантиметра|сантиметров',
    мм: 'миллиметр|миллиметра|миллиметров',
    'км²': 'квадратный километр|квадратных километра|квадратных километров|квадратного километра|m',
    'м²': 'квадратный метр|квадратных метра|квадратных метров|квадратного метра|m',
    'см²': 'квадратный сантиметр|квадратных сантиметра|квадратных сантиметров|квадратного сантиметра|m',
    'м³': 'кубический метр|кубических метра|кубических метров|кубического метра|m',
    'см³': 'кубический сантиметр|кубических сантиметра|кубических сантиметров|кубического сантиметра|m',
    га: 'гектар|гектара|гектаров',
    кг: 'килограмм|килограмма|килограммов',
    г: 'грамм|грамма|граммов',
    'г.': 'грамм|грамма|граммов',
    гр: 'грамм|грамма|граммов',
    'гр.': 'грамм|грамма|граммов',
    мг: 'миллиграмм|миллиграмма|миллиграммов',
    т: 'тонна|тонны|тонн',
    л: 'литр|литра|литров',
    мл: 'миллилитр|миллилитра|миллилитров',
    ч: 'час|часа|часов',
    'ч.': 'час|часа|часов',
    h: 'час|часа|часов',
    мин: 'минута|минуты|минут',
    'мин.': 'минута|минуты|минут',
    min: 'минута|минуты|минут',
    сек: 'секунда|секунды|секунд',
    'сек.': 'секунда|секунды|секунд',
    s: 'секунда|секунды|секунд',
    мс: 'миллисекунда|миллисекунды|миллисекунд',
    сут: 'сутки|суток|суток|суток|f',
    'сут.': 'сутки|суток|суток|суток|f',
    шт: 'штука|штуки|штук',
    'шт.': 'штука|штуки|штук',
    чел: 'человек|человека|человек|человека',
    'чел.': 'человек|человека|человек|человека',
    экз: 'экземпляр|экземпляра|экземпляров',
    'экз.': 'экземпляр|экземпляра|экземпляров',
    коп: 'копейка|копейки|копеек',
    'коп.': 'копейка|копейки|копеек',
    'км/ч': 'километр в час|километра в час|километров в час',
    'м/с': 'метр в секунду|метра в секунду|метров в секунду',
    ккал: 'килокалория|килокалории|килокалорий',
    Гц: 'герц|герца|герц',
    кГц: 'килогерц|килогерца|килогерц',
    МГц: 'мегагерц|мегагерца|мегагерц',
    ГГц: 'гигагерц|гигагерца|гигагерц',
    Вт: 'ватт|ватта|ватт',
    кВт: 'киловатт|киловатта|киловатт',
    МВт: 'мегаватт|мегаватта|мегаватт',
    В: 'вольт|вольта|вольт',
    'л.с': 'лошадиная сила|лошадиные силы|лошадиных сил|лошадиной силы',
    КБ: 'килобайт|килобайта|килобайт',
    МБ: 'мегабайт|мегабайта|мегабайт',
    ГБ: 'гигабайт|гигабайта|гигабайт',
    ТБ: 'терабайт|терабайта|терабайт',
    Мб: 'мегабайт|мегабайта|мегабайт',
    Гб: 'гигабайт|гигабайта|гигабайт',
    дБ: 'децибел|децибела|децибел',
    '°': 'градус|градуса|градусов',
    '°C': 'градус Цельсия|градуса Цельсия|градусов Цельсия',
    '°С': 'градус Цельсия|градуса Цельсия|градусов Цельсия',
    '°F': 'градус Фаренгейта|градуса Фаренгейта|градусов Фаренгейта',
    '%': 'процент|процента|процентов',
    '‰': 'промилле||||m',
  }),
  rates: pairs(
    'ч=час|час=час|мин=минуту|с=секунду|сек=секунду|сут=сутки|день=день|мес=месяц|год=год|кг=килограмм|г=грамм|т=тонну|л=литр|км=километр|шт=штуку|чел=человека|м²=квадратный метр',
  ),
  abbreviations: {
    name: pairs(
      'проф=профессор|акад=академик|доц=доцент|св=святой|ул=улица|пл=площадь|просп=проспект|пер=переулок|им=имени|г=город|гр=гражданин|тов=товарищ|о=остров|оз=озеро|р=река|пос=посёлок|д=деревня|с=село|ген=генерал|ст=станция',
    ),
    number: pairs(
      'стр=страница|с=страница|гл=глава|рис=рисунок|табл=таблица|т=том|п=пункт|ст=статья|д=дом|кв=квартира|корп=корпус|тел=телефон|вып=выпуск|разд=раздел|оф=офис|прим=примечание',
    ),
    any: pairs(
      'т.е=то есть|т. е=то есть|т.д=так далее|т. д=так далее|т.п=тому подобное|т. п=тому подобное|т.к=так как|т. к=так как|т.н=так называемый|т. н=так называемый|т.ч=том числе|т. ч=том числе|т.о=таким образом|н.э=нашей эры|н. э=нашей эры|др=другие|пр=прочее|руб=рублей|коп=копеек|тыс=тысяч|млн=миллионов|млрд=миллиардов|см=смотри|ср=сравни|напр=например|обл=область|чел=человек|мин=минут|сек=секунд|гг=годы|соотв=соответственно|прибл=приблизительно|макс=максимум|тел=телефон',
    ),
    bare: wordSet('млн млрд'),
    tied: pairs(
      'г-н=господин|г-жа=госпожа|Г-н=Господин|Г-жа=Госпожа|р-н=район|р/с=расчётный счёт|а/я=абонентский ящик|о-в=остров|ж/д=железнодорожный',
    ),
    forms: {
      страница: formsAfter('на=странице|со с до от=страницы|см=страницу'),
      глава: formsAfter('в о=главе|из до=главы'),
      пункт: formsAfter('в=пункте|из до=пункта'),
      статья: formsAfter('в по=статье|из до=статьи'),
      том: formsAfter('в=томе|из до=тома'),
      дом: formsAfter('в=доме|из до у=дома'),
      квартира: formsAfter('в=квартире|из до=квартиры'),
      рисунок: formsAfter('на=рисунке|с=рисунка'),
      таблица: formsAfter('в=таблице|из=таблицы'),
      город: formsAfter('в=городе|из от до около=города|под=городом'),
      улица: formsAfter('на по=улице|с от до=улицы'),
      площадь: formsAfter('на по=площади|с от до=площади'),
      проспект: formsAfter('на=проспекте|по=проспекту|с до=проспекта'),
    },
  },
  sentences,
  regnalNames: wordSet(
    'Пётр Петр Петра Екатерина Екатерины Николай Николая Александр Александра Павел Павла Иван Ивана Елизавета Елизаветы Людовик Людовика Генрих Генриха Карл Карла Фридрих Фридриха Вильгельм Вильгельма Наполеон Наполеона Бенедикт Бенедикта Пий Пия Лев Льва Георг Георга Филипп Филиппа Оттон Оттона Рамзес Рамзеса Яков Якова Эдуард Эдуарда Ричард Ричарда Иоанн Иоанна Франциск Франциска Василий Василия Фёдор Фёдора',
  ),
  regnal: (value, name) =>
    russianOrdinal(value, /^(?:Екатерина|Елизавета)$/.test(name) ? 'ая' : /ы$/.test(name) ? 'ой' : /[ая]$/.test(name) ? 'ого' : 'ый'),
  chapterWords: {
    глава: 'f',
    часть: 'f',
    книга: 'f',
    сцена: 'f',
    том: 'ordinal',
    раздел: 'ordinal',
    акт: 'ordinal',
    съезд: 'ordinal',
    класс: 'ordinal',
  },
  romanOrdinal: null,
  stopOrdinal: null,
  genderOf: (noun, value) => {
    if (NO_NOUNS.has(noun)) return undefined
    const form = slavicForm(value, true)
    if (form === 'few') return /[ыи]$|[ыи]е$/.test(noun) ? 'f' : 'm'
    return form === 'many' ? undefined : /[ая]$/.test(noun) ? 'f' : /[оеё]$/.test(noun) ? 'n' : 'm'
  },
  isIWord: false,
  decade: null,
}

const formInCase = slavicAmountForm(true)
const russianInGenitive: Language = {
  ...russian,
  cardinal: russianGenitive,
  year: (value) => russianGenitive(value),
  decimal: (whole, decimals) => decimal(whole, decimals, russianGenitive, ['ой', 'ых']),
  formFor: (amount) => (/^(?:one|part)$/.test(formInCase(amount)) ? 'part' : 'many'),
  genderOf: (noun, value) => (slavicForm(value, true) === 'one' && /[ыи]$/.test(noun) ? 'f' : 'm'),
}
const russianFromYear: Language = { ...russianInGenitive, year: (value) => russianOrdinal(value, 'ого') }
