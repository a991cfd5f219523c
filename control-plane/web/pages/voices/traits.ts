// Traits that a described voice may have, in the words of the engine. The catalogue of messages says how people read them.
export const CHOICES = {
  Gender: ['male', 'female'],
  Age: ['child', 'teenager', 'young adult', 'middle-aged', 'elderly'],
  Pitch: ['very low pitch', 'low pitch', 'moderate pitch', 'high pitch', 'very high pitch'],
  Style: ['whisper'],
  EnglishAccent: [
    'american accent',
    'british accent',
    'australian accent',
    'chinese accent',
    'canadian accent',
    'indian accent',
    'korean accent',
    'portuguese accent',
    'russian accent',
    'japanese accent',
  ],
  ChineseDialect: [
    '河南话',
    '陕西话',
    '四川话',
    '贵州话',
    '云南话',
    '桂林话',
    '济南话',
    '石家庄话',
    '甘肃话',
    '宁夏话',
    '青岛话',
    '东北话',
  ],
}

export type Category = keyof typeof CHOICES
