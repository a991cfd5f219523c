// Words of descriptions that are no choices themselves and hint at some: people, registers and countries. Only free text has them; recipes do not.
import type { VoiceCategory } from './words.ts'

/** `isWeak`: any other word for the category wins, also a later one. */
export type Meaning = { readonly category: VoiceCategory; readonly token: string; readonly isWeak?: true }

const of = (category: VoiceCategory, token: string): Meaning => ({ category, token })
const weak = (category: VoiceCategory, token: string): Meaning => ({ category, token, isWeak: true })
const [male, female] = [of('Gender', 'male'), of('Gender', 'female')]
const old = weak('Age', 'elderly')
const all = (meanings: readonly Meaning[], ...phrases: string[]): [string, readonly Meaning[]][] =>
  phrases.map((phrase) => [phrase, meanings])
const from = (accent: string, ...places: string[]) =>
  all([of('EnglishAccent', `${accent} accent`)], ...places.map((place) => `from ${place}`))

export const HINTS: readonly (readonly [phrase: string, meanings: readonly Meaning[]])[] = [
  ...all([weak('Gender', 'male')], 'he', 'him'),
  ...all([weak('Gender', 'female')], 'she'),
  ...all([male], 'guy', 'dude', 'bloke', 'father', 'dad', 'uncle', 'king'),
  ...all([female], 'gal', 'mother', 'mom', 'mum', 'aunt', 'queen'),
  ...all([male, old], 'grandfather', 'grandpa', 'granddad'),
  ...all([female, old], 'grandmother', 'grandma', 'granny'),
  ...all([of('Pitch', 'very low pitch'), weak('Gender', 'male')], 'bass', 'basso'),
  ...all([of('Pitch', 'low pitch'), weak('Gender', 'male')], 'baritone'),
  ...all([of('Pitch', 'low pitch'), weak('Gender', 'female')], 'alto', 'contralto'),
  ...all([of('Pitch', 'high pitch'), weak('Gender', 'male')], 'tenor'),
  ...all([of('Pitch', 'high pitch'), weak('Gender', 'female')], 'soprano'),
  ...all([of('Pitch', 'very high pitch')], 'squeaky', 'shrill', 'piercing'),
  ...all([of('Style', 'whisper')], 'soft spoken', 'soft-spoken', 'softly spoken', 'hushed'),
  ...from('american', 'america', 'the us', 'the usa', 'the united states', 'new york', 'texas', 'california'),
  ...from('british', 'britain', 'great britain', 'the uk', 'the united kingdom', 'england', 'london'),
  ...from('australian', 'australia', 'sydney'),
  ...from('canadian', 'canada'),
  ...from('indian', 'india'),
  ...from('chinese', 'china'),
  ...from('korean', 'korea', 'south korea'),
  ...from('japanese', 'japan'),
  ...from('portuguese', 'portugal', 'brazil'),
  ...from('russian', 'russia'),
]

/** The years of an age in words, such as "in her thirties". */
export const DECADES: Readonly<Record<string, number>> = {
  teens: 15,
  twenties: 20,
  thirties: 30,
  forties: 40,
  fifties: 50,
  sixties: 60,
  seventies: 70,
  eighties: 80,
  nineties: 90,
}
