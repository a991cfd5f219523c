// Polish.
import { polishSentences as sentences } from '#shared/text/segmentation/slavic.ts'
import { sayAmount } from '../amounts.ts'
import { type PolishEnding, polishCardinal, polishGenitive, polishOrdinal, polishStem } from '../cardinals/polish.ts'
import { slavicAmountForm, slavicForm } from '../cardinals/slavic.ts'
import { formsAfter, inflectedCurrencies, inflectedNoun, inflectedNouns, type Language, monthNames, pairs, wordSet } from '../language.ts'

const MONTHS = 'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(' ')
/** Prepositions with the locative, which has the ending -ym in the masculine. */
const LOCATIVE = wordSet('w we o po na przy')
const THOUSAND = inflectedNoun('tysiąc|tysiące|tysięcy|tysiąca')
const MILLION = inflectedNoun('milion|miliony|milionów|miliona')
const MILLIARD = inflectedNoun('miliard|miliardy|miliardów|miliarda')
const BILLION = inflectedNoun('bilion|biliony|bilionów|biliona')

/** Endings of ordinals before the forms of nouns that they count. */
const ENDINGS: Readonly<Record<string, PolishEnding>> = Object.fromEntries(
  (
    [
      [
        'y',
        'wiek rok dzień tydzień miesiąc rozdział tom etap sezon rząd stopień plan mecz występ bieg odcinek akapit punkt maj pułk batalion maraton festiwal turniej konkurs zjazd krok raz',
      ],
      [
        'ego',
        'wieku dnia tygodnia miesiąca rozdziału tomu etapu sezonu stopnia odcinka punktu miejsca piętra pułku batalionu turnieju razu okrążenia',
      ],
      [
        'ym',
        'miejscu piętrze rozdziale etapie sezonie odcinku punkcie roku dniu tygodniu miesiącu tomie okrążeniu wiekiem rokiem dniem razem meczu',
      ],
      ['e', 'miejsce piętro okrążenie wydanie spotkanie stulecie urodziny lata mistrzostwa imieniny igrzyska zawody'],
      [
        'a',
        'klasa rocznica edycja runda minuta godzina kolejka część liga strona dzielnica wojna symfonia seria kadencja dekada brygada dywizja armia tura',
      ],
      [
        'ej',
        'klasy klasie rocznicy edycji rundy rundzie minuty minucie godziny godzinie dekadzie kolejki kolejce części ligi lidze strony stronie dzielnicy wojny wojnie symfonii serii kadencji dekady brygady dywizji armii tury turze',
      ],
      [
        'ą',
        'klasę rocznicę edycję rundę minutę godzinę kolejkę ligę stronę dzielnicę wojnę symfonię serię kadencję rocznicą klasą turę wojną',
      ],
      ['ych', 'urodzin urodzinach lat latach mistrzostw mistrzostwach imienin igrzysk zawodów'],
    ] as const
  ).flatMap(([ending, nouns]) => nouns.split(' ').map((noun) => [noun, ending] as const)),
)

/** Endings of ordinals in figures, by the end of what is written: "3-go", "5-ta". */
const MARKS: readonly (readonly [RegExp, PolishEnding])[] = [
  [/go$/, 'ego'],
  [/mu$/, 'emu'],
  [/[yi]m$/, 'ym'],
  [/[yi]ch$/, 'ych'],
  [/ej$/, 'ej'],
  [/ą$/, 'ą'],
  [/a$/, 'a'],
  [/e$/, 'e'],
  [/[yi]$/, 'y'],
]

/** A year or a century before the form of its noun. */
function ordinalWithNoun(value: number, noun: string, before: string): readonly [string, string] | null {
  if (Object.hasOwn(ENDINGS, noun) && !/^(?:rok|wiek)/.test(noun))
    return value < 1 || value > 999 ? null : [polishOrdinal(value, ENDINGS[noun]), noun]
  const isCentury = noun.startsWith('w')
  // "1 rok" is counted, "w 50 roku" is not.
  if (isCentury ? value > 30 : value > 2999 || (value < 100 && /^rok(?:iem)?$/.test(noun))) return null
  const whole = noun === 'w.' ? 'wieku' : noun === 'r.' ? 'roku' : noun
  const ending = /k$/.test(whole) ? 'y' : /iem$/.test(whole) ? 'ym' : /i$/.test(whole) ? 'e' : /ów$/.test(whole) ? 'ych' : null
  return [polishOrdinal(value, ending ?? (LOCATIVE.has(before) ? 'ym' : 'ego')), whole]
}

/** Words before a time that is in the locative or the genitive: "o 14:30", "od godz. 8:00". */
const AFTER_CLOCK = /(?:^|[^\p{L}])(?:o|od|do|po|około)(?: godz\.| godzin[aiey]{1,2})? $/u
const SECOND = inflectedNoun('sekunda|sekundy|sekund|sekundy')

/** Feminine nouns behind 2 whose ends do not show it. */
const FEMININE = wordSet(
  'godziny minuty sekundy osoby kobiety książki strony tony doby noce rzeczy ręce nogi części sztuki klasy firmy grupy córki siostry dziewczyny dziewczynki ' +
    'matki szkoły drogi lekcje bramki połowy tabletki łyżki łyżeczki szklanki krople butelki paczki kawy herbaty próby rundy ulice gwiazdki gwiazdy drużyny ' +
    'wyspy rzeki góry planety torby koszule pary róże zupy filiżanki ryby kury krowy owce świnie kartki litery cyfry ofiary bomby dekady zasady metody ' +
    'kolejki ławki lampy mapy nuty oceny odpowiedzi opcje pensje piosenki pozycje propozycje rany role rodziny sprawy wersje wojny zmiany żony',
)

/** Words before a number in the genitive: "do 5 km", "około 10 książek". */
const GENITIVE = /(?:^|[^\p{L}])(?:do|od|dla|bez|około|ok\.|spośród|powyżej|poniżej|blisko|oprócz|wśród) $/u

/** A year without its noun: "od 1990 do 1995 roku", "do 1939." */
const BEFORE_YEAR = /(?:^|[^\p{L}])(?:od|do) $/u
const YEAR_AFTER = /^[12]\d{3}(?=$|[.,;:!?)](?!\d)| (?:do|i|a) )/u

export const polish: Language = {
  inCase: (before, after) =>
    YEAR_AFTER.test(after) && BEFORE_YEAR.test(before) ? polishFromYear : GENITIVE.test(before) ? polishInGenitive : null,
  cardinal: polishCardinal,
  ordinal: (value, gender) => polishOrdinal(value, gender === 'f' ? 'a' : gender === 'n' ? 'e' : 'y'),
  year: (value) => polishCardinal(value),
  decimalMark: ',',
  hasDecimalPoint: true,
  dateMarks: '.-',
  dayOfMonth: (day) => polishOrdinal(day, 'ego'),
  formFor: slavicAmountForm(false),
  groupMarks: ' .\u00a0\u202f',
  readsDecimalsAsNumber: true,
  dateOrder: 'dmy',
  say: {
    point: 'przecinek',
    minus: 'minus',
    to: '—',
    ratio: '—',
    plus: 'plus',
    by: 'na',
    per: 'za',
    dot: 'kropka',
    over: 'przez',
    and: 'i',
    moneyAnd: '',
    ofScale: (noun) => noun,
  },
  marks: {
    '@': 'małpa',
    '.': 'kropka',
    '/': 'ukośnik',
    '-': 'myślnik',
    _: 'podkreślenie',
    ':': 'dwukropek',
    '?': 'znak zapytania',
    '=': 'równa się',
    '&': 'i',
    '%': 'procent',
    '+': 'plus',
    '~': 'tylda',
    '#': 'hasztag',
  },
  signs: {
    '§': 'paragraf',
    '№': 'numer',
    '±': 'plus minus',
    '≈': 'około',
    '~': 'około',
    '≤': 'najwyżej',
    '≥': 'co najmniej',
    '<': 'mniej niż',
    '>': 'więcej niż',
  },
  operators: { '+': 'plus', '-': 'minus', '−': 'minus', '=': 'równa się', '×': 'razy', '*': 'razy', '÷': 'podzielić przez' },
  telephone: {
    before: /(?:^|[^\p{L}])(?:tel|telefon|telefonu|fax|faks|kom|numer|zadzwoń)[.:]?(?: pod| nr)?:? $/u,
    local: /\d{3}-\d{3}-\d{3}(?![\d-])|\d{2}[ -]\d{3}-\d{2}-\d{2}(?![\d-])/y,
    readsCountryAsNumber: true,
  },
  date: ({ day, month, year }) =>
    `${polishOrdinal(day, 'ego')} ${MONTHS[month - 1]}${year === null ? '' : ` ${polishOrdinal(year, 'ego')} roku`}`,
  dateWords: wordSet('dnia dniu z od do w na przed po'),
  yearMark: /[ \u00a0\u202f]?(?:r\.|r(?=[,;)])|[ \u00a0]?roku(?![\p{L}\p{M}]))/uy,
  halfDay: null,
  hourOnly: (hours) => polishOrdinal(hours, 'a'),
  time: ({ hours, minutes, seconds }, before) => {
    const hour = polishOrdinal(hours, AFTER_CLOCK.test(before) ? 'ej' : 'a')
    const two = (value: number) => (value < 10 ? `zero ${polishCardinal(value)}` : polishCardinal(value))
    if (seconds === null) return minutes === 0 ? hour : `${hour} ${two(minutes)}`
    return `${hour} ${two(minutes)} i ${polishCardinal(seconds, 'f')} ${SECOND[slavicForm(seconds, false)]}`
  },
  hourMark: null,
  timeForm: /(?<=(?:godz\.|godzin[aiey]{1,2}) )(\d{1,2})\.([0-5]\d)(?![\d.,]\d|\d)/uy,
  fraction: (numerator, denominator) => {
    if (numerator === 1 && denominator === 2) return 'pół'
    const ending = numerator === 1 ? 'a' : slavicForm(numerator, false) === 'few' ? 'e' : 'ych'
    return `${polishCardinal(numerator, 'f')} ${polishOrdinal(denominator, ending)}`
  },
  mixed: (whole, fraction) =>
    fraction !== 'pół' || whole.length > 2 ? null : whole === '1' ? 'półtora' : `${polishCardinal(Number(whole))} i pół`,
  ordinalMark: /-(\p{Ll}{0,3}(?:go|mu|[yi]m|[yi]ch|ej|ą|ta|ga|ma|sza|cia|e|y|gi|ci)|\p{Ll}{4,20})(?![\p{L}\p{M}\p{N}])/uy,
  genderOfMark: () => 'm',
  ofMark: (value, mark) => {
    const stem = mark.length > 4 || /^letn/.test(mark) ? polishStem(value) : null
    if (stem !== null) return `${stem}${mark}`
    const ending = mark.length > 4 ? undefined : MARKS.find(([end]) => end.test(mark))?.[1]
    return ending === undefined ? null : polishOrdinal(value, ending)
  },
  ordinalNoun: {
    form: /[ \u00a0\u202f](klasie|rundzie|minucie|godzinie|kolejce|lidze|stronie|dekadzie|miejscu|piętrze|rozdziale|odcinku|sezonie|etapie|dniu|wojn(?:a|y|ie|ę|ą)(?= światow)|rok(?:u|iem)?|wiek(?:u|iem|i|ów)?|r\.|w\.(?=$|[ \u00a0,;:)]))(?![\p{L}\p{M}])/uy,
    say: ordinalWithNoun,
  },
  months: monthNames(
    'stycznia styczeń sty stycz|lutego luty lut|marca marzec mar|kwietnia kwiecień kwi kwiec|maja maj|czerwca czerwiec cze czerw|lipca lipiec lip|sierpnia sierpień sie sierp|września wrzesień wrz wrzes|października październik paź paźdz|listopada listopad lis listop|grudnia grudzień gru grudz',
  ),
  scaleGender: 'm',
  capitalMonths: false,
  currencies: inflectedCurrencies({
    PLN: ['złoty|złote|złotych|złotego|m', 'grosz|grosze|groszy|grosza'],
    EUR: ['euro||||n', 'cent|centy|centów|centa'],
    USD: ['dolar|dolary|dolarów|dolara', 'cent|centy|centów|centa'],
    GBP: ['funt|funty|funtów|funta', 'pens|pensy|pensów|pensa'],
    CHF: ['frank szwajcarski|franki szwajcarskie|franków szwajcarskich|franka szwajcarskiego'],
    CZK: ['korona czeska|korony czeskie|koron czeskich|korony czeskiej', 'halerz|halerze|halerzy|halerza'],
    JPY: ['jen|jeny|jenów|jena'],
    CNY: ['juan|juany|juanów|juana'],
    INR: ['rupia|rupie|rupii|rupii'],
    UAH: ['hrywna|hrywny|hrywien|hrywny', 'kopiejka|kopiejki|kopiejek'],
    RUB: ['rubel|ruble|rubli|rubla', 'kopiejka|kopiejki|kopiejek'],
  }),
  currencyMarks: { zł: 'PLN', ZŁ: 'PLN' },
  scales: {
    ...Object.fromEntries('tys tys. tysiąc tysiące tysięcy'.split(' ').map((key) => [key, THOUSAND])),
    ...Object.fromEntries('mln mln. milion miliony milionów'.split(' ').map((key) => [key, MILLION])),
    ...Object.fromEntries('mld mld. miliard miliardy miliardów'.split(' ').map((key) => [key, MILLIARD])),
    ...Object.fromEntries('bln bln. bilion biliony bilionów'.split(' ').map((key) => [key, BILLION])),
  },
  units: inflectedNouns({
    km: 'kilometr|kilometry|kilometrów|kilometra',
    m: 'metr|metry|metrów|metra',
    cm: 'centymetr|centymetry|centymetrów|centymetra',
    mm: 'milimetr|milimetry|milimetrów|milimetra',
    'km²': 'kilometr kwadratowy|kilometry kwadratowe|kilometrów kwadratowych|kilometra kwadratowego',
    'm²': 'metr kwadratowy|metry kwadratowe|metrów kwadratowych|metra kwadratowego',
    'cm²': 'centymetr kwadratowy|centymetry kwadratowe|centymetrów kwadratowych|centymetra kwadratowego',
    'm³': 'metr sześcienny|metry sześcienne|metrów sześciennych|metra sześciennego',
    'cm³': 'centymetr sześcienny|centymetry sześcienne|centymetrów sześciennych|centymetra sześciennego',
    ha: 'hektar|hektary|hektarów|hektara',
    kg: 'kilogram|kilogramy|kilogramów|kilograma',
    dag: 'dekagram|dekagramy|dekagramów|dekagrama',
    g: 'gram|gramy|gramów|grama',
    mg: 'miligram|miligramy|miligramów|miligrama',
    t: 'tona|tony|ton|tony',
    l: 'litr|litry|litrów|litra',
    ml: 'mililitr|mililitry|mililitrów|mililitra',
    x: 'raz|razy|razy|raza',
    h: 'godzina|godziny|godzin|godziny',
    godz: 'godzina|godziny|godzin|godziny',
    'godz.': 'godzina|godziny|godzin|godziny',
    min: 'minuta|minuty|minut|minuty',
    'min.': 'minuta|minuty|minut|minuty',
    sek: 'sekunda|sekundy|sekund|sekundy',
    'sek.': 'sekunda|sekundy|sekund|sekundy',
    s: 'sekunda|sekundy|sekund|sekundy',
    ms: 'milisekunda|milisekundy|milisekund|milisekundy',
    szt: 'sztuka|sztuki|sztuk|sztuki',
    'szt.': 'sztuka|sztuki|sztuk|sztuki',
    gr: 'grosz|grosze|groszy|grosza',
    'km/h': 'kilometr na godzinę|kilometry na godzinę|kilometrów na godzinę|kilometra na godzinę',
    'm/s': 'metr na sekundę|metry na sekundę|metrów na sekundę|metra na sekundę',
    kcal: 'kilokaloria|kilokalorie|kilokalorii|kilokalorii',
    Hz: 'herc|herce|herców|herca',
    kHz: 'kiloherc|kiloherce|kiloherców|kiloherca',
    MHz: 'megaherc|megaherce|megaherców|megaherca',
    GHz: 'gigaherc|gigaherce|gigaherców|gigaherca',
    W: 'wat|waty|watów|wata',
    kW: 'kilowat|kilowaty|kilowatów|kilowata',
    MW: 'megawat|megawaty|megawatów|megawata',
    kWh: 'kilowatogodzina|kilowatogodziny|kilowatogodzin|kilowatogodziny',
    V: 'wolt|wolty|woltów|wolta',
    KM: 'koń mechaniczny|konie mechaniczne|koni mechanicznych|konia mechanicznego',
    kB: 'kilobajt|kilobajty|kilobajtów|kilobajta',
    MB: 'megabajt|megabajty|megabajtów|megabajta',
    GB: 'gigabajt|gigabajty|gigabajtów|gigabajta',
    TB: 'terabajt|terabajty|terabajtów|terabajta',
    dB: 'decybel|decybele|decybeli|decybela',
    '°': 'stopień|stopnie|stopni|stopnia',
    '°C': 'stopień Celsjusza|stopnie Celsjusza|stopni Celsjusza|stopnia Celsjusza',
    '°F': 'stopień Fahrenheita|stopnie Fahrenheita|stopni Fahrenheita|stopnia Fahrenheita',
    '%': 'procent',
    '‰': 'promil|promile|promili|promila',
  }),
  rates: pairs(
    'h=godzinę|godz=godzinę|min=minutę|s=sekundę|dzień=dzień|mies=miesiąc|rok=rok|kg=kilogram|l=litr|km=kilometr|szt=sztukę|os=osobę|m²=metr kwadratowy|t=tonę',
  ),
  abbreviations: {
    name: pairs(
      'dr=doktor|prof=profesor|mgr=magister|inż=inżynier|ks=ksiądz|św=święty|ul=ulica|al=aleja|pl=plac|os=osiedle|gen=generał|płk=pułkownik|hab=habilitowany|im=imienia|red=redaktor|lek=lekarz|woj=województwo|pow=powiat',
    ),
    number: pairs(
      'nr=numer|str=strona|s=strona|rozdz=rozdział|art=artykuł|pkt=punkt|godz=godzina|ust=ustęp|tel=telefon|poz=pozycja|tab=tabela|rys=rysunek|t=tom|ok=około|par=paragraf',
    ),
    any: pairs(
      'np=na przykład|itd=i tak dalej|itp=i tym podobne|tzn=to znaczy|tzw=tak zwany|tj=to jest|m.in=między innymi|ok=około|br=bieżącego roku|zob=zobacz|por=porównaj|cd=ciąg dalszy|tys=tysięcy|mln=milionów|mld=miliardów|godz=godzin|min=minut|n.e=naszej ery|n. e=naszej ery|p.n.e=przed naszą erą|jw=jak wyżej|wg=według|ds=do spraw|dot=dotyczący|pt=pod tytułem|ww=wyżej wymieniony|tel=telefon|dr=doktor|prof=profesor|hab=habilitowany|mgr=magister|inż=inżynier',
    ),
    bare: wordSet('dr Dr mgr Mgr pkt nr wg ds mln mld płk pt'),
    forms: {
      godzina: formsAfter('o po=godzinie|od do około=godziny|przed=godziną'),
      ulica: formsAfter('na przy po o=ulicy|od do z ze=ulicy'),
      aleja: formsAfter('na w przy po=alei|od do z=alei'),
      plac: formsAfter('na przy po=placu|od do z=placu'),
      strona: formsAfter('na po=stronie|od do ze z=strony'),
      rozdział: formsAfter('w po=rozdziale|od do z=rozdziału'),
      punkt: formsAfter('w po=punkcie|od do z=punktu'),
      artykuł: formsAfter('w po=artykule|od do z=artykułu'),
    },
  },
  sentences,
  regnalNames: wordSet(
    'Paweł Pawła Zygmunt Zygmunta Władysław Władysława Kazimierz Kazimierza Bolesław Bolesława Mieszko August Augusta Stanisław Stanisława Ludwik Ludwika Henryk Henryka Karol Karola Fryderyk Fryderyka Wilhelm Wilhelma Napoleon Napoleona Benedykt Benedykta Pius Piusa Leon Leona Grzegorz Grzegorza Elżbieta Elżbiety Katarzyna Katarzyny Piotr Piotra Mikołaj Mikołaja Aleksander Aleksandra Jan Jana Jerzy Edward Edwarda Filip Filipa Otton Ottona Franciszek Iwan Iwana Wacław Wacława',
  ),
  regnal: (value, name) =>
    polishOrdinal(
      value,
      /^(?:Elżbieta|Katarzyna)$/.test(name) ? 'a' : /y$/.test(name) && name !== 'Jerzy' ? 'ej' : /a$/.test(name) ? 'ego' : 'y',
    ),
  chapterWords: { rozdział: 'ordinal', tom: 'ordinal', akt: 'ordinal', część: 'f', księga: 'f', scena: 'f', wojna: 'f', klasa: 'f' },
  romanOrdinal: null,
  stopOrdinal: (value, before, next) => {
    if (value <= 0) return null
    if (/^(?:lat|lata|latach)$/i.test(before) && value % 10 === 0) return polishOrdinal(value, /^lata$/i.test(before) ? 'e' : 'ych')
    const ending = Object.hasOwn(ENDINGS, next) ? ENDINGS[next]! : null
    return ending === null
      ? null
      : polishOrdinal(value, /^(?:wieku|roku|meczu)$/.test(next) ? (LOCATIVE.has(before) ? 'ym' : 'ego') : ending)
  },
  genderOf: (noun, value) => {
    if (value === 1) return /a$/.test(noun) ? 'f' : /(?:o|um|ie|cie)$/.test(noun) ? 'n' : 'm'
    return FEMININE.has(noun) || /(?:cje|sje|zje|ości|yny)$/.test(noun) ? 'f' : 'm'
  },
  isIWord: false,
  decade: null,
}

const formInCase = slavicAmountForm(false)
const polishInGenitive: Language = {
  ...polish,
  cardinal: polishGenitive,
  year: (value) => polishGenitive(value),
  decimal: (whole, decimals) => sayAmount({ whole, decimals, isGrouped: false }, polish),
  formFor: (amount) => (/^(?:one|part)$/.test(formInCase(amount)) ? 'part' : 'many'),
  genderOf: (noun, value) => (value === 1 && /[yi]$/.test(noun) ? 'f' : 'm'),
}
const polishFromYear: Language = { ...polishInGenitive, year: (value) => polishOrdinal(value, 'ego') }
