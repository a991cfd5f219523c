// The vocabulary for voice descriptions. The model supports only these words: free text is searched for them, and other words are rejected
// with suggestions. Pure.

import { Failure } from '#shared/protocol/failure.ts'

export type Category = 'gender' | 'age' | 'pitch' | 'style' | 'accent' | 'dialect'

/**
 * By category, in the order of the prompt: the word for the model, followed by its synonyms. The Chinese synonym is the model's Chinese word;
 * accents have none, and dialects have no English one.
 */
const VOCABULARY: Readonly<Record<Category, readonly (readonly [string, ...string[]])[]>> = {
  gender: [
    ['female', 'woman', 'lady', 'feminine', 'girl', '女'],
    ['male', 'man', 'gentleman', 'masculine', 'boy', '男'],
  ],
  age: [
    ['child', 'kid', 'childlike', 'girl', 'boy', '儿童'],
    ['teenager', 'teen', 'teenage', 'adolescent', '少年'],
    ['young adult', 'young', 'youthful', '青年'],
    ['middle-aged', 'middle aged', 'middle age', '中年'],
    ['elderly', 'old', 'senior', 'aged', '老年'],
  ],
  pitch: [
    ['very low pitch', 'very low', 'very deep', '极低音调'],
    ['low pitch', 'low', 'deep', '低音调'],
    ['moderate pitch', 'medium pitch', 'normal pitch', 'moderate', '中音调'],
    ['high pitch', 'high', 'high-pitched', '高音调'],
    ['very high pitch', 'very high', '极高音调'],
  ],
  style: [['whisper', 'whispering', 'whispered', 'whispers', '耳语']],
  accent: ['American', 'British', 'Australian', 'Canadian', 'Indian', 'Chinese', 'Korean', 'Japanese', 'Portuguese', 'Russian'].map(
    (name) => [`${name.toLowerCase()} accent`, name.toLowerCase()],
  ),
  dialect: [
    ['河南话', 'henan dialect', 'henan'],
    ['陕西话', 'shaanxi dialect', 'shaanxi'],
    ['四川话', 'sichuan dialect', 'sichuan'],
    ['贵州话', 'guizhou dialect', 'guizhou'],
    ['云南话', 'yunnan dialect', 'yunnan'],
    ['桂林话', 'guilin dialect', 'guilin'],
    ['济南话', 'jinan dialect', 'jinan'],
    ['石家庄话', 'shijiazhuang dialect', 'shijiazhuang'],
    ['甘肃话', 'gansu dialect', 'gansu'],
    ['宁夏话', 'ningxia dialect', 'ningxia'],
    ['青岛话', 'qingdao dialect', 'qingdao'],
    ['东北话', 'dongbei dialect', 'dongbei'],
  ],
}
const CATEGORIES = Object.keys(VOCABULARY) as Category[]
const IDEOGRAPHS = /[\u4e00-\u9fff]/
const CHINESE_WORDS: ReadonlyMap<string, string> = new Map(
  CATEGORIES.flatMap((category) =>
    VOCABULARY[category].map((words) => [words[0], words.find((word) => IDEOGRAPHS.test(word)) ?? words[0]]),
  ),
)
/** Words without meaning for the voice. */
const FILLERS = new Set(
  'a an the and with in of or to very speak speaks speaking say said voice voiced sound sounds sounding like please tone pitch accent dialect person speaker english who has is that it style'.split(
    ' ',
  ),
)

/** Each is compared with the whole vocabulary, so a long text of other words would take seconds. */
const MOST_UNKNOWN = 20

type VocabularyWord = { readonly category: Category; readonly value: string; readonly word: string }
const VOCABULARY_WORDS: readonly VocabularyWord[] = CATEGORIES.flatMap((category) =>
  VOCABULARY[category].flatMap(([value, ...others]) => [value, ...others].map((word) => ({ category, value, word }))),
)
  // Longest first: "very low pitch" before "low", "female" before "male".
  .sort((left, right) => right.word.length - left.word.length)

export type VoiceDescription = {
  readonly attributes: Readonly<Partial<Record<Category, string>>>
  /** The first MOST_UNKNOWN words that are not in the vocabulary, with similar words that are. */
  readonly unknown: readonly { readonly word: string; readonly suggestions: readonly string[] }[]
  /** Sentences about attributes that exclude each other. */
  readonly conflicts: readonly string[]
}

/** Finds the attributes in free text. */
export function describeVoice(text: string): VoiceDescription {
  let rest = ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s,;.!?、，。；:()"]+/g, ' ')} `
  const found = new Map<Category, Set<string>>()
  const add = (category: Category, value: string) => found.set(category, (found.get(category) ?? new Set()).add(value))
  for (const { word } of VOCABULARY_WORDS) {
    const needle = IDEOGRAPHS.test(word) ? word : ` ${word} `
    if (!rest.includes(needle)) continue
    // One word may have two attributes: a girl is female and a child.
    for (const meant of VOCABULARY_WORDS) if (meant.word === word) add(meant.category, meant.value)
    rest = rest.replaceAll(needle, ' ').replaceAll(needle, ' ')
  }
  const conflicts = [...found].flatMap(([category, values]) =>
    values.size > 1 ? [`The attributes ${[...values].join(' and ')} exclude each other. Choose one ${category}.`] : [],
  )
  if (found.has('accent') && found.has('dialect')) conflicts.push('An accent and a Chinese dialect exclude each other. Choose one of them.')
  const unknown = [...new Set(rest.split(' '))]
    .filter((word) => word !== '' && !FILLERS.has(word))
    .slice(0, MOST_UNKNOWN)
    .map((word) => ({ word, suggestions: nearest(word) }))
  return { attributes: Object.fromEntries([...found].map(([category, values]) => [category, [...values][0]!])), unknown, conflicts }
}

/** Whether a text contains Chinese characters; the voice is then described in Chinese, as in training. */
export const hasIdeographs = (text: string): boolean => IDEOGRAPHS.test(text)

/**
 * The instruct line of the prompt in one language; '' without attributes. A dialect makes it Chinese and an accent English, because neither
 * has a word in the other language. Without them `inChinese` decides.
 */
export function toInstruct(attributes: VoiceDescription['attributes'], inChinese: boolean): string {
  const isChinese = attributes.dialect !== undefined || (inChinese && attributes.accent === undefined)
  const words = CATEGORIES.flatMap((category) => attributes[category] ?? [])
  return isChinese ? words.map((word) => CHINESE_WORDS.get(word) ?? word).join('，') : words.join(', ')
}

/**
 * The instruct line for free text. `inChinese`: whether the text to speak is Chinese. Throws INVALID_TASK_PARAMS that lists the unknown words
 * and the vocabulary.
 */
export function parseInstruct(text: string, inChinese: boolean): string {
  const { attributes, unknown, conflicts } = describeVoice(text)
  if (conflicts.length > 0) throw new Failure('INVALID_TASK_PARAMS', `instruct: ${conflicts.join(' ')}`)
  if (unknown.length === 0) return toInstruct(attributes, inChinese)
  const listed = unknown.slice(0, 5).map(({ word, suggestions }) => {
    const hint = suggestions.length > 0 ? ` (did you mean ${suggestions.join(' or ')}?)` : ''
    return `"${word.slice(0, 32)}"${hint}`
  })
  throw new Failure('INVALID_TASK_PARAMS', `instruct: This engine does not support ${listed.join(', ')}. It supports ${allWords()}.`, {
    detail: { unknown, vocabulary: vocabulary() },
  })
}

export const vocabulary = (): Record<Category, string[]> =>
  Object.fromEntries(CATEGORIES.map((category) => [category, VOCABULARY[category].map(([value]) => value)])) as Record<Category, string[]>
const allWords = () =>
  Object.entries(vocabulary())
    .map(([category, values]) => `${category}: ${values.join(', ')}`)
    .join('; ')

/** Up to three words of the vocabulary within a small edit distance. */
function nearest(word: string): string[] {
  const near = VOCABULARY_WORDS.map(({ word: known, value }) => ({ value, edits: editDistance(word, known) }))
    .filter(({ edits }) => edits <= Math.max(1, Math.floor(word.length / 3)))
    .sort((left, right) => left.edits - right.edits)
  return [...new Set(near.map(({ value }) => value))].slice(0, 3)
}

/** Edit distance. Words are cut to 24 letters, because they are foreign input and the cost grows with the product of their lengths. */
function editDistance(left: string, right: string): number {
  const [a, b] = [left.slice(0, 24), right.slice(0, 24)]
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
