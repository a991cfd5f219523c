// French, Spanish, Italian and Portuguese. Some abbreviations are from the lists of sentencex (MIT, https://github.com/wikimedia/sentencex).
import { sentenceRules } from './language.ts'

export const frenchSentences = sentenceRules({
  open:
    'M MM Mme Mmes Mlle Mlles Dr Pr Prof Me Mgr St Ste Sts av apr env cf p.ex c.-à-d e.g i.e ann bd boul adm gén col cap lt sgt dir fém ' +
    'masc sing pl ex janv févr avr juil sept oct nov déc lun mar mer jeu ven sam dim resp max min ca vs R.P S.M S.A.R al hab suiv suppl a.c',
  numbered: 'no nos n p pp chap vol art fig tél sect fasc t ch §',
  short: 'etc j.-c J.-C inc ltd cie co corp jr sr s.a s.a.r.l u.s n.b p.s r.-v éd b.p',
  starters:
    'le la les l un une des du de ce cet cette ces je tu il elle on nous vous ils elles mon ton son sa ses notre votre leur leurs qui que quoi ' +
    'quand où pourquoi comment quel quelle et mais ou or donc car si lorsque puisque quoique pendant avant après depuis puis ensuite alors ' +
    'ici là maintenant aujourd hier demain aussi seulement cependant pourtant toutefois enfin tout tous toutes plusieurs certains à au aux ' +
    'en dans par pour sans sous sur avec entre chez est sont était ne pas personne rien c j d s n y',
})

export const spanishSentences = sentenceRules({
  open:
    'sr sra sres srta sras srtas dr dra dres prof profa d dña lic lcdo lcda ing arq ldo ldda abg gral cnel cap tte sgto alm pbro fr mons ' +
    'excmo excma ilmo ilma rvdo hnos hna hno av avda avd c/ pza ctra p.ej ej vs aprox máx mín núm ca i.e e.g sto sta san fdo cdad ' +
    'ene feb abr jun jul ago sept sep oct nov dic lun mié jue vie sáb dom edo dto depto dpto dir admón pdte ud uds vd vds vto gob mtro mtra s.m',
  numbered: 'no nos n nro s ss pág págs p pp vol art fig tel tfno párr ap sec t km',
  short:
    'etc ptas a.c d.c s.a s.l ee.uu e.u inc ltd ltda cía co corp jr ph.d q.e.p.d p.d u.s u.s.a ed c.v ss.mm ff.cc cc.aa ff.aa rr.hh ee uu sa',
  starters:
    'el la los las lo un una unos unas este esta estos estas ese esa eso esto aquel aquella yo tú él ella nosotros ellos ellas usted ustedes ' +
    'mi tu su sus nuestro quien quién qué cuándo dónde cómo cuál por porque que cuando donde como si aunque mientras antes después desde ' +
    'luego entonces allí aquí ahora hoy ayer mañana también sólo solo además sin embargo pero y o ni pues así todo todos toda todas muchos ' +
    'algunos algunas a al del de en con para según sobre entre hasta hacia es son era fue fueron está están hay ha han no nadie nada se me te le les nos',
})

export const italianSentences = sentenceRules({
  open:
    'amm psicol dir sig sigg sig.ra sig.na sig.ri dott dott.ssa dr dr.ssa prof prof.ssa proff avv ing arch geom rag on sen gen col cap magg ten serg mons don ' +
    'cav comm egr gent spett ill rev s ss p.es es ad.es cfr vs ca circa c.so p.za v.le f.lli n.b i.e e.g cit seg pres min ' +
    'feb mar apr mag giu lug ago set sett ott nov dic lun mart merc giov ven sab dom uff tel fax mitt dest gr l.go v on.le art pag st reg',
  numbered: 'n nn num pagg p pp vol artt fig sez t tav par lett km',
  short: 'ecc etc s.p.a s.r.l s.n.c s.a.s inc ltd co corp jr sr a.c d.c p.s u.s u.s.a c.a p.v',
  starters:
    'il lo la i gli le l un uno una questo questa questi queste quello quella io tu lui lei noi voi loro mio tuo suo nostro vostro chi che cosa ' +
    'quando dove perché come quale e ed ma o oppure se anche mentre prima dopo poi allora qui là ora oggi ieri domani solo però tuttavia ' +
    'quindi dunque infine tutto tutti tutte molti alcuni a al ai alla di del della da dal in nel nella con su sul per tra fra senza secondo ' +
    'è sono era erano ha hanno non nessuno niente si ci mi ti',
})

export const portugueseSentences = sentenceRules({
  open:
    'sr sra srs sras srta dr dra drs dras prof profa exmo exma ilmo ilma eng enga arq adv des gen cel cap ten sgt alm pe fr d st sto sta av r ' +
    'pça trav rod aprox máx mín p.ex ex i.e e.g vs ca cf jan fev abr mai jun jul ago set out nov dez seg ter qua qui sex sáb dom ' +
    'hab obs séc dep depto dpto adm min v.exa v.ex.ª',
  numbered: 'n no nº nos núm pág págs p pp vol art arts fig tel km al',
  short: 'etc a.c d.c s.a ltda lda cia inc ltd co corp jr ph.d e.u.a eua u.s p.s ed b.c',
  starters:
    'o a os as um uma uns umas este esta estes estas esse essa isso isto aquele aquela eu tu ele ela nós vós eles elas você vocês meu minha teu ' +
    'seu sua seus suas nosso quem que quando onde porque porquê como qual se embora enquanto antes depois desde então ali aqui agora hoje ' +
    'ontem amanhã também só apenas além porém contudo mas e ou pois assim todo todos toda todas muitos alguns algumas ao à do da dos das de ' +
    'em no na nos nas com para por segundo sobre entre até é são era foi foram está estão há tem não ninguém nada',
})
