// Russian, Ukrainian, Polish, Czech, Slovak and Bulgarian. Some abbreviations are from the lists of sentencex (MIT,
// https://github.com/wikimedia/sentencex).
import { sentenceRules } from './language.ts'

export const russianSentences = sentenceRules({
  open:
    'пгт им ул пл просп пер г-н г-жа гр тов проф акад доц канд инж ген полк кап мл ст св о т.е т.н т.к т.о напр ср см рис табл гл стр с п пп ' +
    'д кв корп оф тел обл р-н пос дер ок ориг авт ред сост изд англ нем фр лат греч франц итал исп рус укр польск яп кит букв устар разг ' +
    'янв февр фев апр авг сент сен окт нояб ноя дек пн чт пт сб вс до соотв приблиз макс гос оз прибл зам зав юр физ зап вост сев юж ' +
    'англо моск руб.коп вкл искл прим деп ж куб',
  numbered: 'тт вып разд',
  short:
    'г гг в вв р руб коп тыс млн млрд трлн долл чел экз кг км м мм л мг га час ч мин сек н нед мес и.о т у.е м.н вт квт ' +
    'н.э л.с а.е шт ед',
  closing: 'т.д т.п др пр',
  starters:
    'он она оно они я ты мы вы это этот эта эти тот та те мой твой его её их наш ваш кто что когда где почему как какой какая какие и а но или ' +
    'если хотя пока потом затем после до перед там здесь тут теперь сейчас сегодня вчера завтра также тоже только ещё уже однако поэтому ' +
    'кроме сначала наконец все всё вся многие некоторые в во на по из от с со к ко у о об за для при без через между среди под над не ни нет ' +
    'был была было были есть никто ничего так чтобы согласно',
})

export const ukrainianSentences = sentenceRules({
  open:
    'ім вул бул бульв пл просп пров пер п пан гр проф акад доц канд інж ген полк кап св о т.зв т.з т.ч т.є тобто напр див рис табл розд с стор ' +
    'буд кв корп оф тел обл р-н смт м оз ред упоряд вид англ нім фр лат грец рос укр пол букв заст розм авт ориг журн зб арк енцикл ' +
    'січ лют бер квіт трав черв лип серп вер жовт лист груд пн ср чт пт сб нд н.е прибл макс мін зам зав мист наук нар знач спец пор пп ' +
    'чл-кор чл жін х церк жр',
  numbered: 'т тт ч вип №',
  short: 'р рр ст в вв грн коп тис млн млрд трлн дол чол прим кг км см мм л мг га год хв сек міс нед і.о у.о вт квт кб кбт шт од',
  closing: 'т.д т.п т.ін ін',
  starters:
    'він вона воно вони я ти ми ви це цей ця ці той та ті мій твій його її їх наш ваш хто що коли де чому як який яка які і й а але або якщо ' +
    'хоча поки потім після перед там тут тепер зараз сьогодні вчора завтра також теж тільки ще вже однак тому крім спочатку нарешті всі все ' +
    'багато деякі в у на по з із зі від до за для при без через між серед під над не ні немає був була було були є ніхто нічого так щоб згідно',
})

const slavicMonths =
  'ledna února března dubna května června července srpna září října listopadu prosince stycznia lutego marca kwietnia maja czerwca lipca ' +
  'sierpnia września października grudnia století wieku'

export const polishSentences = sentenceRules({
  open:
    'np m.in tzn tzw tj ks dr inż mgr prof hab lek med red gen płk mjr kpt por sierż św bł ul al pl os im pan p.o ob śp dot ww wg jw zob ' +
    'm.st c.b.d.o gm pow woj dyr zast wiceprez dypl nadkom asp kom ok ca przyp tłum oprac wyd hr lp str rozdz rys tab ang niem fr łac ' +
    'hebr czes węg ukr słow stpol pot pod n.p.m jun sen tel w.w stud dn pon wt śr czw pt sob niedz ' +
    'stycz lut mar kwiec czerw lip sierp wrzes paźdz listop grudz dosł ds',
  numbered: 'nr s art ust pkt poz t par lit zał',
  short: 'itd itp br cd r w tys mln mld zł gr szt z.o.o o.o sp s.a etc jr sr inc ltd co godz min sek km kg n.e p.n.e i.in in',
  starters:
    'on ona ono oni one ja ty my wy to ten ta te tamten mój twój jego jej ich nasz wasz kto co kiedy gdzie dlaczego jak jaki jaka i a ale lub albo ' +
    'jeśli jeżeli choć chociaż gdy podczas przed po potem następnie tam tu tutaj teraz dziś dzisiaj wczoraj jutro także też tylko jeszcze już ' +
    'jednak dlatego poza najpierw wreszcie wszyscy wszystko wiele niektórzy w we na z ze od do za dla przy bez przez między pod nad nie nikt ' +
    'nic jest są był była było byli ma mają zgodnie według',
  ordinals: { after: '', nouns: slavicMonths },
})

export const czechSentences = sentenceRules({
  open:
    'např tj tzn tzv mj mgr ing bc ph dr mudr judr phdr rndr paeddr doc prof csc drsc akad gen plk mjr kpt por sv ul nám tř č čj čp čís str ' +
    's.r kol zn srov viz resp cca př p.n.l vč zejm popř příp ev hl jm max odd obr tab odst pozn vyd red překl ed angl něm franc lat ' +
    'led ún břez dub kvě červ čvc srp zář říj list pros po út čt pá so ne t.r t.č p pí sl arch mons univ tel',
  numbered: 's kap čl písm roč par',
  short: 'atd apod aj a.s s.r.o spol o.p.s tis mil mld kč hal hod min sek ks etc jr sr st ml inc ltd co km kg l r z.s n.l stol',
  starters:
    'on ona ono oni já ty my vy to ten ta ti toto tento tato můj tvůj jeho její jejich náš váš kdo co kdy kde proč jak jaký jaká a i ale nebo ' +
    'pokud jestliže ačkoli když zatímco před po potom pak tam tady zde teď dnes včera zítra také jen ještě už však proto kromě nejprve konečně ' +
    'všichni vše mnoho někteří v ve na z ze od do za pro při bez přes mezi pod nad ne není nikdo nic je jsou byl byla bylo byli má mají podle',
  ordinals: { after: '', nouns: `${slavicMonths} století světová světové` },
})

export const slovakSentences = sentenceRules({
  open:
    'napr tj t.j tzn tzv mgr ing bc ph.d phd dr judr mudr mvdr phdr rndr paeddr doc prof csc drsc akad gen plk sv ul nám č čís str s kol ' +
    'porov resp cca príp zv pozn vyd red obr tab ods angl nem franc lat p pí hl ev max zák odd zn ll.m ll a.k.a t.č',
  numbered: 'kap čl písm tel roč',
  short: 'atď atd apod a.s s.r.o spol tis mil mld sk eur hod min sek ks etc jr sr st ml inc ltd co km kg r n.o o.z a.d n.l',
  starters:
    'on ona ono oni ja ty my vy to ten tá tí tento táto môj tvoj jeho jej ich náš váš kto čo kedy kde prečo ako aký aká a i ale alebo ak hoci keď ' +
    'zatiaľ pred po potom tam tu teraz dnes včera zajtra tiež len ešte už však preto okrem najprv všetci všetko mnoho v vo na z zo od do za pre ' +
    'pri bez cez medzi pod nad nie nikto nič je sú bol bola bolo boli má majú podľa',
  ordinals: {
    after: '',
    nouns: 'januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra storočia svetová',
  },
})

export const bulgarianSentences = sentenceRules({
  open: 'проф акад доц д-р инж г-н г-жа ул бул пл св ген полк кап т.нар т.е напр вж вм срв стр с гл чл ал т р обл общ ок гр кв бл ет ап тел пр изд ред',
  numbered: 'фиг табл бр №',
  short: 'г гг в вв лв ст хил млн млрд м см км кг л ч мин сек н.е и',
  closing: 'т.н др',
  starters:
    'той тя то те аз ти ние вие това този тази тези онзи мой твой негов неговата кой какво кога къде защо как и а но или ако макар докато после след ' +
    'преди там тук сега днес вчера утре също само още вече обаче затова освен първо накрая всички много някои в във на по от до за при без ' +
    'през между под над не няма е са беше бяха никой нищо според',
})
