// The sentence that every voice of a book says once before the first chapter: its loudness decides the gain of the voice, and a voice that an
// engine would invent for each task is fixed by it. Pure.

/** LUFS of every voice before mastering. */
const VOICE_LOUDNESS = -20
const GAIN_STEP_DB = 0.5
const MAX_GAIN_DB = 9

/** About ten seconds each, by ISO 639-1. */
const SENTENCES: Readonly<Record<string, string>> = {
  en: 'The road follows the river, past the mill and over the old bridge. In the evening the lamps of the town shine on the water, and people walk home without any hurry.',
  de: 'Die Straße folgt dem Fluss, vorbei an der Mühle und über die alte Brücke. Am Abend leuchten die Lampen der Stadt auf dem Wasser, und die Leute gehen ohne Eile nach Hause.',
  fr: 'La route suit la rivière, passe devant le moulin et franchit le vieux pont. Le soir, les lampes de la ville brillent sur l’eau, et les gens rentrent chez eux sans se presser.',
  es: 'El camino sigue el río, pasa junto al molino y cruza el viejo puente. Por la tarde las luces de la ciudad brillan sobre el agua, y la gente vuelve a casa sin ninguna prisa.',
  it: 'La strada segue il fiume, passa davanti al mulino e attraversa il vecchio ponte. La sera le luci della città brillano sull’acqua, e la gente torna a casa senza alcuna fretta.',
  pt: 'A estrada segue o rio, passa pelo moinho e atravessa a velha ponte. À noite as luzes da cidade brilham sobre a água, e as pessoas voltam para casa sem nenhuma pressa.',
  nl: 'De weg volgt de rivier, langs de molen en over de oude brug. In de avond schijnen de lampen van de stad op het water, en de mensen lopen zonder haast naar huis.',
  pl: 'Droga biegnie wzdłuż rzeki, obok młyna i przez stary most. Wieczorem światła miasta odbijają się w wodzie, a ludzie bez pośpiechu wracają do domu.',
  ru: 'Дорога идёт вдоль реки, мимо мельницы и через старый мост. Вечером огни города отражаются в воде, и люди не спеша возвращаются домой.',
  zh: '这条路沿着河边走，经过磨坊，再过那座老桥。到了傍晚，镇上的灯光照在水面上，人们不慌不忙地走回家。',
  ja: '道は川に沿って続き、水車小屋の前を通り、古い橋を渡ります。夕方になると町の明かりが水面に映り、人々はゆっくりと家へ帰ります。',
  ko: '길은 강을 따라 이어지고 방앗간을 지나 오래된 다리를 건넙니다. 저녁이면 마을의 불빛이 물 위에 비치고, 사람들은 천천히 집으로 돌아갑니다.',
}

/** `language`: a tag such as `en` or `en-GB`; null and languages without a sentence of their own have the English one. */
export const castingSentence = (language: string | null): string =>
  SENTENCES[language?.toLowerCase().split(/[-_]/, 1)[0] ?? ''] ?? SENTENCES['en']!

/** Decibels that bring a voice of this loudness (LUFS) to that of the others; 0 for silence, null. */
export function voiceGain(loudness: number | null): number {
  if (loudness === null) return 0
  const gain = Math.round((VOICE_LOUDNESS - loudness) / GAIN_STEP_DB) * GAIN_STEP_DB
  return Math.max(-MAX_GAIN_DB, Math.min(MAX_GAIN_DB, gain)) + 0 // no negative zero
}
