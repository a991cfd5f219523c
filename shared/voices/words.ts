// The closed vocabulary of designed voices: what a person may choose, and the words by which it is recognised. Engines, descriptions and
// archetypes use this one table.

export const CATEGORIES = ['Gender', 'Age', 'Pitch', 'Style', 'EnglishAccent', 'ChineseDialect'] as const
export type VoiceCategory = (typeof CATEGORIES)[number]
/** The choice in a category without one. */
export const AUTO = 'Auto'
/** A token or 'Auto' per category. */
export type VoiceChoices = Readonly<Record<VoiceCategory, string>>
export type VoiceWord = {
  /** The canonical word, as it stands in `instruct`. */
  readonly token: string
  /** The Chinese word of the model; null for accents, which have none. */
  readonly chinese: string | null
  /** Other words for the token. A word of two categories sets both. */
  readonly synonyms: readonly string[]
}

const word = (token: string, chinese: string | null, ...synonyms: string[]): VoiceWord => ({ token, chinese, synonyms })
const accent = (name: string): VoiceWord => word(`${name} accent`, null, name)
const dialect = (token: string, place: string): VoiceWord => word(token, token, `${place} dialect`, place)

export const VOCABULARY: Readonly<Record<VoiceCategory, readonly VoiceWord[]>> = {
  Gender: [
    word('male', '男', 'man', 'gentleman', 'masculine', 'boy', 'young boy', 'little boy', '男孩'),
    word('female', '女', 'woman', 'lady', 'feminine', 'girl', 'young girl', 'little girl', '女孩'),
  ],
  Age: [
    word('child', '儿童', 'kid', 'childlike', 'girl', 'boy', 'young girl', 'young boy', 'little girl', 'little boy', '女孩', '男孩'),
    word('teenager', '少年', 'teen', 'teenage', 'adolescent'),
    word('young adult', '青年', 'young', 'youthful'),
    word('middle-aged', '中年', 'middle aged', 'middle age'),
    word('elderly', '老年', 'old', 'senior', 'aged'),
  ],
  Pitch: [
    word('very low pitch', '极低音调', 'very low', 'very deep', 'very low-pitched'),
    word('low pitch', '低音调', 'low', 'deep', 'low-pitched'),
    word('moderate pitch', '中音调', 'medium pitch', 'normal pitch', 'moderate'),
    word('high pitch', '高音调', 'high', 'high-pitched'),
    word('very high pitch', '极高音调', 'very high', 'very high-pitched'),
  ],
  Style: [word('whisper', '耳语', 'whispering', 'whispered', 'whispers')],
  EnglishAccent: [
    accent('american'),
    accent('british'),
    accent('australian'),
    accent('chinese'),
    accent('canadian'),
    accent('indian'),
    accent('korean'),
    accent('portuguese'),
    accent('russian'),
    accent('japanese'),
  ],
  ChineseDialect: [
    dialect('河南话', 'henan'),
    dialect('陕西话', 'shaanxi'),
    dialect('四川话', 'sichuan'),
    dialect('贵州话', 'guizhou'),
    dialect('云南话', 'yunnan'),
    dialect('桂林话', 'guilin'),
    dialect('济南话', 'jinan'),
    dialect('石家庄话', 'shijiazhuang'),
    dialect('甘肃话', 'gansu'),
    dialect('宁夏话', 'ningxia'),
    dialect('青岛话', 'qingdao'),
    dialect('东北话', 'dongbei'),
  ],
}

export const tokensOf = (category: VoiceCategory): readonly string[] => VOCABULARY[category].map(({ token }) => token)
/** Every word of a token, the token first. Chinese words have no word boundaries. */
export const phrasesOf = ({ token, chinese, synonyms }: VoiceWord): readonly string[] => [
  ...new Set([token, ...(chinese === null ? [] : [chinese]), ...synonyms]),
]
const IDEOGRAPHS = /[\u4e00-\u9fff]/
export const hasIdeographs = (text: string): boolean => IDEOGRAPHS.test(text)
