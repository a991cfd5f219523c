// Turkish, Greek, Armenian, Kazakh, Arabic, Persian, Hindi, Hungarian, and Chinese, Japanese and Korean, whose marks need no list. Some
// abbreviations are from the lists of sentencex (MIT, https://github.com/wikimedia/sentencex).
import { sentenceRules } from './language.ts'

export const turkishSentences = sentenceRules({
  open:
    'dr prof doç av bn bay hz yrd öğr gör müh alb yzb tğm gen org st ör örn bkz yak mad ing alm fr t.c mah cad sok sk bul apt no ' +
    'tel çev haz ed krş ank ist oca şub nis tem ağu eyl eki kas ara pzt sal çar per cum cmt paz i.e vs maks orta arş uzm dz',
  numbered: 's sf cilt c böl md şek kat',
  short: 'vb vd ltd şti a.ş inc co jr sr tic san min milyar dk sn km kg m.ö m.s',
  starters:
    'bu şu o ben sen biz siz onlar bir her hiç kim ne nerede neden niçin nasıl hangi ve ama fakat ya veya eğer çünkü sonra önce orada burada şimdi ' +
    'bugün dün yarın da de sadece ancak bunun bundan böylece ayrıca ilk bütün tüm birçok bazı için ile gibi kadar göre değil yok var',
  ordinals: {
    after: '',
    nouns:
      'dünya yüzyıl yüzyılda yüzyılın sınıf kat madde bölüm cilt ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık selim ' +
      'mehmet murat mahmut ahmet mustafa osman süleyman bayezid abdülhamid lig ordu kolordu',
  },
})

export const hungarianSentences = sentenceRules({
  open: 'dr prof ifj id özv st pl ún ill vö kb ld okl szül sz u köz tel br gr jan febr márc ápr jún júl aug szept okt nov dec bp',
  numbered: 'old o fej',
  short: 'stb kft rt zrt nyrt bt ft mrd inc ltd co jr',
  starters:
    'a az ez én te ő mi ti ők egy ki mit mikor hol miért hogyan és de vagy ha mert amikor után előtt ott itt most ma tegnap holnap is csak még már ' +
    'azonban ezért először végül minden sok néhány nem nincs senki semmi van volt voltak',
  ordinals: {
    after: 'a az',
    nouns: 'január február március április május június július augusztus szeptember október november december világháború század',
  },
})

export const greekSentences = sentenceRules({
  open: 'κ κκ κα δρ καθ πρ αγ οδ λεωφ τηλ βλ δηλ περ αρ σελ κεφ ιαν φεβ μαρ απρ ιουν ιουλ αυγ σεπ οκτ νοε δεκ π',
  numbered: 'εικ',
  short: 'κ.ά κ.λπ κλπ κτλ α.ε ε.π.ε μ.χ π.χ',
  starters:
    'ο η το οι τα αυτός αυτή αυτό εγώ εσύ εμείς εσείς και αλλά ή αν όταν που πού γιατί πώς μετά πριν εκεί εδώ τώρα σήμερα χθες δεν είναι ήταν',
  ends: ';',
})

/** Its full stop is the sign U+0589; U+2024 and the Latin full stop mark abbreviations. */
export const armenianSentences = sentenceRules({ open: 'պրոֆ դոկ', short: 'թ թթ դ դդ', ends: ':' })

export const kazakhSentences = sentenceRules({
  open: 'проф акад доц ул көш ғыл қ ә',
  short: 'ж жж ғ б.з.б б.з т.б т.с.с млн млрд мың тг',
  starters: 'ол бұл мен сен біз сіз олар және бірақ немесе егер кейін онда мұнда қазір бүгін кеше ертең барлық көп',
})

export const arabicSentences = sentenceRules({ open: 'د أ م أ.د ص ت هـ ق.م', numbered: 'رقم ج', short: 'إلخ الخ ش.م.م' })
export const persianSentences = sentenceRules({ open: 'د م ق.م ه.ش ه.ق', numbered: 'ص ج', short: 'غیره' })
export const hindiSentences = sentenceRules({
  open: 'डॉ प्रो श्री श्रीमती सु कु पं स्व मो लि रु ई ए बी सी डी एम के पी आर एस जी जे एच वी टी एन',
  numbered: 'सं पृ क्र',
})

/** The marks of these languages end a sentence by themselves. */
export const easternSentences = sentenceRules({ open: 'Mr Mrs Ms Dr Prof St vs', numbered: 'No no vol p' })

/** A language without lists: initials, titles of many languages, and words that begin with a small letter. */
export const unknownSentences = sentenceRules({
  open: 'Mr Mrs Ms Dr Prof St Sra Mme Mlle vs e.g i.e cf ca',
  numbered: 'no nr p pp vol fig art cap',
  short: 'inc ltd co jr sr u.s u.k ph.d etc',
})
