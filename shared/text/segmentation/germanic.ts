// English, German and Dutch. Some abbreviations are from the lists of sentencex (MIT, https://github.com/wikimedia/sentencex).
import { sentenceRules } from './language.ts'

export const englishSentences = sentenceRules({
  open:
    'Mr Mrs Ms Mx Dr Drs Prof Rev Fr Hon Gen Col Maj Capt Cmdr Comdr Lt Sgt Sfc Cpl Pvt Pfc Adm Brig Ens Gov Sen Sens Rep Reps Pres Supt ' +
    'Insp Surg Det Msgr Mt Ft Messrs Mmes Mme Mlle St Sts Ald Amb Atty Cdr Fig e.g i.e cf vs viz approx incl esp resp al ca v aka ' +
    'Jan Feb Apr Jun Jul Aug Sept Sep Oct Nov Dec Mon Tue Tues Wed Thu Thurs Fri dipl',
  numbered:
    'n° nº ft lb lbs oz no nos vol vols ch chap sec fig figs tab pt ex bk b eq eqs p pp art nr par para ref refs ver op cl ext tel app sect line ll',
  short:
    'inc corp ltd co bros llc jr sr esq dept univ assn ave blvd rd hwy mtn bldg est div ed eds trans repr min max avg temp ' +
    'mfg dist calif conn fla mich minn mont nebr okla ore penn tenn tex wis ariz ark colo dak ' +
    'ph.d m.d b.a m.a b.sc m.sc d.c u.s u.k u.n u.s.a e.u a.d b.c d.phil ll.b yahoo',
  closing: 'etc a.m p.m',
  beforeNo: 'oh ah er well said says say is was answered answer answers shouted cried means meant course',
  starters:
    'the a an this that these those there then they he she it we you i his her its our your their my who what when where why how which while ' +
    'whether if because although though since after before during until once as at by for from in into on of to with without under over ' +
    'and but or so yet nor not no never now today yesterday tomorrow here just only also even still however therefore thus moreover ' +
    'furthermore meanwhile nevertheless otherwise instead finally first second third next later soon all any some each every both many most ' +
    'more much few several such another other one two nothing everyone everybody someone please thanks let is are was were do does ' +
    'did has have had can could will would should may might must according despite perhaps maybe none than like well yes',
})

export const germanSentences = sentenceRules({
  open:
    'dr mr mrs ms prof hr fr frl dipl ing med jur phil rer nat habil mag stud univ st sr hl kath ev evang sog sogen bzw bzgl ca evtl ggf ggfs vgl inkl ' +
    'v exkl zzgl abzgl insb insbes bspw einschl einschließl ehem gen geb gest verh led verw ausschl betr bes dergl eigtl entspr erg ' +
    'evt gegr gem ges hrsg i.d.r jew lt maj mind max min mtl nachm vorm öff österr röm schweiz soz südl nördl östl westl syn tägl urspr ' +
    'versch vs wiss wörtl zus zul zzt zz ' +
    'z.b d.h d.i u.a u.ä u.u z.t z.z z.zt i.a i.d i.e i.f i.h.v m.e o.ä o.g s.o s.u u.e d.j a.a a.d v.a v.chr n.chr i.v k.o c.-à-d e.g ' +
    'jan feb apr jun jul aug sep sept okt nov dez mo di mi do sa buchst capt sen gov ff b.a',
  numbered: 'nr nrn s kap bd bde abb abs art tel tab ziff z rn rdnr aufl fig lfd op str pos anm az vers',
  suffixes: 'str',
  short:
    'usw usf u.s.w etc jh jhd jhs mio mrd tsd std sek jr co corp inc ltd pl kg mbh e.v ag gmbh allg dgl uvm u.v.m u.dgl o.dgl ' +
    'verl bearb übers forts kfz mwst abf ank uhrz',
  starters:
    'der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr man mein dein sein unser euer kein keine dies diese ' +
    'dieser dieses diesem diesen jene jener jenes wer was wann wo warum wie wieso welche welcher welches und oder aber denn doch sondern als ' +
    'wenn weil dass ob obwohl während bevor nachdem seit bis damit dann danach dort hier da nun jetzt heute gestern morgen auch nur noch ' +
    'schon so also außerdem jedoch dennoch trotzdem deshalb daher darum dabei dafür dagegen dazu zuerst zunächst schließlich endlich ' +
    'manchmal alle alles viele einige nach vor bei mit ohne für gegen durch um auf an in im am zum zur von vom aus über unter zwischen ' +
    'ist sind war waren hat haben hatte kann können wird werden wurde bitte ja nein nicht nie niemand jeder jede jedes beide zwei drei',
  ordinals: {
    after:
      'am vom zum zur beim dem den des im der die das ein eine einen einem einer bis ab seit jeder jede jedes jeden jedem mein meine sein seine ihr ' +
      'ihre unser unsere dieser diese dieses und',
    nouns:
      'januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert jahrhunderts jahrtausend platz rang ' +
      'stock etage klasse kapitel teil band auflage weltkrieg weltkriegs geburtstag tag woche monat jahr spieltag bundesliga liga halbzeit runde ' +
      'stelle reihe mal auflage bezirk infanterie division armee symphonie sinfonie akt szene abschnitt absatz januars bis',
  },
})

export const dutchSentences = sentenceRules({
  open:
    'dr drs ir ing mr mevr mw dhr prof st ds jhr pres min zgn bijv bv ca evt incl excl resp vgl cf dwz d.w.z o.a m.b.t i.p.v t.a.v t.o.v ' +
    'm.n i.v.m a.u.b m.i.v n.a.v z.o.z t.e.m t/m v.d v.h mt gen kol kap lt sgt wnd afd geb overl gebr fa ' +
    'jan feb mrt apr jun jul aug sept sep okt nov dec ma di wo do vr za v.chr n.chr nl o.m e.g i.e bijz plm max',
  numbered: 'nr nrs blz p pp art hfst afb fig dl tel bijl vol par lid v',
  short: 'enz mln mld etc e.d e.a m.m inc ltd co jr sr b.v n.v v.z.w str d.d j.l m.a p.s a.s u.s w.o',
  starters:
    'de het een dit dat deze die er ik jij je u hij zij ze we wij jullie men mijn jouw zijn haar ons onze hun wie wat waar wanneer waarom hoe ' +
    'welke en of maar want dus als toen omdat hoewel terwijl nadat voordat sinds tot dan daarna daar hier nu vandaag gisteren morgen ook ' +
    'alleen nog al zo echter toch daarom bovendien eerst ten later alle veel sommige na voor bij met zonder tegen door om op aan in van uit ' +
    'over onder tussen is was waren heeft hebben had kan wordt werd niet niemand iedereen geen',
})
