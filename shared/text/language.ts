// Guesses the language of a text: by its script, else by frequent words. Pure, without a model.

export type DetectedLanguage = { /** ISO 639-1. */ readonly code: string; readonly by: 'script' | 'words' }

/** A script and its languages; a later language needs a letter that the first one lacks. */
const SCRIPTS: readonly (readonly [RegExp, string, ...(readonly [RegExp, string])[]])[] = [
  [/\p{Script=Cyrillic}/gu, 'ru', [/[іїєґІЇЄҐ]/, 'uk'], [/[ђјљњћџЂЈЉЊЋЏ]/, 'sr']],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Arabic}/gu, 'ar', [/[ٹڈڑے]/, 'ur'], [/[پچژگ]/, 'fa']],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Kannada}/gu, 'kn'],
  [/\p{Script=Malayalam}/gu, 'ml'],
  [/\p{Script=Sinhala}/gu, 'si'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Ethiopic}/gu, 'am'],
  [/\p{Script=Hangul}/gu, 'ko'],
  // Japanese mixes Han characters with kana.
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'zh', [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja']],
]

/** Words that are frequent in one of these languages. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: 'the and of to is in that it was for on are with as they be at have this from you not a i',
    de: 'der die und das ist nicht ein eine ich zu mit den auf für sich dem auch es wir von sind im war',
    fr: 'le la les et est une un des pas dans pour je vous nous que qui avec sur ce il elle du au de',
    es: 'el la los las y es una un por para con no su como pero más está yo muy del al lo que de en',
    it: 'il la gli è di che non per una un sono con mi della questo ma anche si del ho le',
    pt: 'o os a as um uma não é para com em do da mais como mas você eu ao na no que de',
    nl: 'de het een en van is niet ik dat op te zijn voor met aan er maar ook je wij in',
    pl: 'i w nie na się z do to jest że jak ale o po czy tak za od ja są',
    sv: 'och att det är en som på av för med inte jag den har till om ett vi i',
  }).map(([code, words]) => [code, new Set(words.split(' '))]),
)
/** UTF-16 units from the start that are read. */
const READ_CHARS = 4_000
const MIN_WORDS = 3
const MIN_SHARE = 0.2
const LEAD = 1.5

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0

/** Null for a text whose language is not clear. A text in Latin letters needs some frequent words. */
export function detectLanguage(whole: string): DetectedLanguage | null {
  const text = whole.slice(0, READ_CHARS)
  const letters = countOf(text, /\p{L}/gu)
  if (letters === 0) return null
  for (const [script, usual, ...others] of SCRIPTS) {
    if (countOf(text, script) * 2 <= letters) continue
    return { code: others.find(([letter]) => letter.test(text))?.[1] ?? usual, by: 'script' }
  }
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const found = Object.entries(WORDS)
    .map(([code, known]) => ({ code, count: words.filter((word) => known.has(word)).length }))
    .sort((left, right) => right.count - left.count)
  const [first, second] = found
  const isClear = first!.count >= MIN_WORDS && first!.count >= MIN_SHARE * words.length && first!.count >= LEAD * second!.count
  return isClear ? { code: first!.code, by: 'words' } : null
}
