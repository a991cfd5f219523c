// Letters of languages in the order of how often they occur, the most common first. Approximations: the encodings of one language differ by much more.
import type { LetterTable, WritingSystem } from './letter-table.ts'
import { EAST_ASIAN } from './letters-east-asian.ts'

const LATIN: Readonly<Record<string, string>> = {
  en: 'etaoinshrdlcumwfgypbvkjxqzéï',
  fr: 'esaitnrulodcpmévqfbghjàxyèêzwçùkîôâœûïëæ',
  de: 'enisratdhulcgmobwfkzvpüäßjöyqxé',
  es: 'eaosrnidlctumpbgóvíyqhfzáéjñxúükw',
  pt: 'aeosridmntculpvgqbfhãçáézjíxõêóúâôàükwy',
  it: 'eaionlrtscdupmvghfbzqàèùòéìkjywx',
  ca: 'eaisrntloducmpévqbgfàjòóíxçèhyúüïzkw',
  nl: 'enatirodslghvkmubpwjzcfxyëéïöqèü',
  da: 'enrtdiasolgmkvufbhpåæøyjéczwxq',
  no: 'ertnsilakodgmvfupbhåøjyæcwzxéò',
  sv: 'eantrslidomgkvhäfupåöcbyjxwzéq',
  fi: 'aitneslokuämvrjhypdögbfcåwqzx',
  is: 'arnisteulðgmkvfhoáþídjóbyæúöpéýcxwqz',
  pl: 'iaeozńnrswcytkdłpmuljęgąbhżóśćfźvxq',
  cs: 'oeanitvlskrdpímuázjyěcbéhřýžčšůfgúňxťóďwq',
  sk: 'aoenisrvtlkcmdpuáhyjbzéčíýžšľťúňôóďĺäŕgfxw',
  hu: 'eatlnskzriogmáéydvbhjőöpucfóíüúűxw',
  ro: 'eiartnulcsodpmăfvîgbșşțţâzhjxkyw',
  hr: 'aioenrsjtukvdmplgzbčcšžćhđf',
  sl: 'aeionrsltjvkdpmzubgčhšcžf',
  sq: 'etinëarshodkmulpgjvbfçqzyhxc',
  tr: 'aeinrlıdkmuytsboüşzgçhğvcöpfjâîû',
  lt: 'iasteronuklmpdvjėgbyšųžąęcįčūfhz',
  lv: 'aisteurnodkmlpvzbājīgēcšūņžļčfķģhō',
  et: 'aeistlunkodrmvghjäpõbüfsšžö',
  // Marks of tones are characters of their own in windows-1258.
  vi: 'nhtcgi\u0300\u0301am\u0309\u0323ouđrlưvêôpbsdơâăkqxyàáeéèòóìíùúý\u0303',
}
const CYRILLIC: Readonly<Record<string, string>> = {
  ru: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  uk: 'оанитіервсклудмпязьбгчйхжїюцєшщфґ',
  be: 'аніеорслтуцвкдмпыяьзйгбхчшжўёэюф',
  bg: 'аиоетнрсвлкдпмзъгубячцйжщшюхьф',
  sr: 'аоиенрстујкдвмлпгзбчшцхћжјђњљџф',
  mk: 'аоеинтрсвдклпмузјгбчшцхжќњѓљџѕф',
}
const OTHER: readonly LetterTable[] = [
  { language: 'el', script: 'Greek', letters: 'αοιετσνηυρπκμλςάίόέήωγδθύχβφώξζψϊΐϋΰ' },
  { language: 'he', script: 'Hebrew', letters: 'יוהלאתרשמבנםעקדפחכטגסצזןךץף\u05b0\u05b7\u05b8\u05b4\u05b6\u05bc\u05b5\u05b9\u05c1' },
  { language: 'ar', script: 'Arabic', letters: 'اليمنوترهبعةدسفكقحأجشصطىخضذإءزثئظغؤآ\u0651\u064b\u064f\u064e\u0650\u0652' },
  { language: 'fa', script: 'Arabic', letters: 'اينرمدهتسوبشیکكگخزپفقعآچجحلطصئژغضثظذء' },
  { language: 'th', script: 'Thai', letters: 'านร่อกเงมยลว้ีดทสัติะปบคหแจพชขใไูุซืโผธถณศๆ็ษฉฟญภฐฏ์ำึฝฮฎฑฒฆฬฯ' },
]
const named = (script: WritingSystem, all: Readonly<Record<string, string>>): LetterTable[] =>
  Object.entries(all).map(([language, letters]) => ({ language, script, letters }))

export const ALPHABETS: readonly LetterTable[] = [...named('Latin', LATIN), ...named('Cyrillic', CYRILLIC), ...OTHER, ...EAST_ASIAN]
