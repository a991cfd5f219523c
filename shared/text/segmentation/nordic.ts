// Swedish, Danish, Norwegian and Finnish. Some abbreviations are from the lists of sentencex (MIT, https://github.com/wikimedia/sentencex).
import { sentenceRules } from './language.ts'

export const swedishSentences = sentenceRules({
  open:
    't.ex dvs d.v.s bl.a s.k fr.o.m t.o.m p.g.a m.a.o o.d.v resp ca jfr inkl exkl ev f.d dr prof doc st hr fru frk kungl kapt löjtn gen ' +
    'kl tel jan feb apr jun jul aug sept sep okt nov dec mån tis ons tors fre f.ö i.o.m e.kr f.kr eg vanl motsv n.b f.n i.e e.g max min ungef',
  numbered: 'nr s sid kap bd fig art vol tab',
  short: 'etc osv o.s.v m.fl m.m mfl mm o.d dyl d.y d.ä jr sr ab inc ltd co u.s',
  starters:
    'det den de en ett detta denna dessa jag du han hon vi ni man min din sin hans hennes vår er deras vem vad var när varför hur vilken och ' +
    'men eller så för om när då eftersom medan innan efter sedan där här nu idag igår också bara även dock därför dessutom först senare ' +
    'alla många några på i till från med utan under över mellan är var har hade kan blev inte ingen',
})

const danishOrdinals = {
  after: 'den d det dens til fra og',
  nouns:
    'januar februar marts april maj juni juli august september oktober november december mars mai desember kapitel kapittel klasse division ' +
    'sal etage verdenskrig plads juledag pinsedag påskedag',
}

export const danishSentences = sentenceRules({
  open:
    'f.eks bl.a dvs d.v.s ca f.kr e.kr fr.o.m t.o.m inkl ekskl evt jf jvf jfr dr prof hr fr frk st kl adm dir cand mag lic stud skt tlf pr vedr ' +
    'ift mht hhv henh s.k såk såkaldt vha iflg ved.r gl nuv tidl kgl maks min ang eks a.m.b.a bem mdr adj adv red f.x p.g.a pga med ' +
    'jan feb apr jun jul aug sept sep okt nov dec man tirs ons tors fre d m.h.t i.h.t i.e e.g dav ndr ass afd div gns indb opr udg overs',
  numbered: 'nr s kap bd fig art § tab vol afs',
  short: 'etc osv o.s.v m.fl m.m mv m.v o.l o.lign d.y d.æ jr sr a/s aps inc ltd co u.s el mio mia kr stk o.a mm mfl ol lign alm tdl spm',
  starters:
    'det den de en et dette denne disse jeg du han hun vi i man min din sin hans hendes vores jeres deres hvem hvad hvor hvornår hvorfor ' +
    'hvordan hvilken og men eller så for hvis når da fordi mens før efter siden der her nu også kun dog derfor desuden først senere alle ' +
    'mange nogle på til fra med uden under over mellem er var har havde kan blev ikke ingen om',
  ordinals: danishOrdinals,
})

export const norwegianSentences = sentenceRules({
  open:
    'f.eks bl.a dvs d.v.s ca f.kr e.kr f.o.m t.o.m inkl ekskl evt jf jfr dr prof st kl adm dir cand mag stud tlf pr vedr ift mht hhv pga ' +
    'nr maks min jan feb apr jun jul aug sept sep okt nov des i.e e.g kgl tidl',
  numbered: 's kap bd fig art',
  short: 'etc osv m.fl m.m mv mfl mm o.l d.y d.e jr sr inc ltd co u.s mill mrd',
  starters:
    'det den de en et ei dette denne disse jeg du han hun vi dere man min din sin hans hennes vår deres hvem hva hvor når hvorfor hvordan ' +
    'hvilken og men eller så for hvis da fordi mens før etter siden der her nå også bare dog derfor dessuten først senere alle mange noen ' +
    'på i til fra med uten under over mellom er var har hadde kan ble ikke ingen om',
  ordinals: danishOrdinals,
})

export const finnishSentences = sentenceRules({
  open: 'esim ts t.s ns n ks vrt tri prof toht maist hra rva nti klo s.o ent mm mlk os pj puh synt tarv v vt yht alk jKr eKr e.Kr j.Kr eaa e.m.m',
  numbered: 's nro n:o luku kpl §',
  short: 'jne ym yms yl jr sr oy inc ltd co milj mrd t.m huom',
  starters:
    'se hän minä sinä me te he ne tämä tuo nämä nuo kuka mikä missä milloin miksi miten ja mutta tai niin jos kun koska vaikka ennen jälkeen sitten ' +
    'siellä täällä nyt myös vain kuitenkin siksi ensin kaikki monet on oli ovat ei kukaan',
  ordinals: { after: 'ja', nouns: 'luku luokka kerros maailmansota' },
})
