// The archetypes that are shown first: named English voices, and three roles in nine languages.
import type { ArchetypeRole } from './scripts.ts'
import type { UseCase } from './use-cases.ts'

export type FeaturedRow = readonly [name: string, useCase: UseCase, instruct: string]

/** In the order of the list. Every recipe but the whispered high pitch is also in the grid of the taxonomy, which leaves it out. */
export const FEATURED_ENGLISH: readonly FeaturedRow[] = [
  ['Fireside Narrator', 'narration', 'male, elderly, low pitch, british accent'],
  ['Evening Reader', 'narration', 'female, middle-aged, moderate pitch'],
  ['Quiet Confidant', 'narration', 'female, young adult, high pitch, whisper'],
  ['Deep Chronicle', 'narration', 'male, middle-aged, very low pitch, american accent'],
  ['Friendly Neighbour', 'conversational', 'male, young adult, moderate pitch, american accent'],
  ['Coffee Break', 'conversational', 'female, young adult, moderate pitch, australian accent'],
  ['Support Desk', 'conversational', 'female, young adult, moderate pitch, indian accent'],
  ['Weekend Host', 'conversational', 'male, young adult, low pitch, canadian accent'],
  ['Curious Kid', 'characters', 'male, child, high pitch'],
  ['Little Inventor', 'characters', 'female, child, very high pitch'],
  ['Harbour Captain', 'characters', 'male, elderly, very low pitch'],
  ['Brave Scout', 'characters', 'female, teenager, high pitch, british accent'],
  ['Trend Report', 'social', 'female, young adult, high pitch, american accent'],
  ['Quick Take', 'social', 'male, young adult, high pitch'],
  ['Daily Clip', 'social', 'female, teenager, moderate pitch, american accent'],
  ['Quiz Night', 'entertainment', 'male, middle-aged, high pitch, british accent'],
  ['Late Show', 'entertainment', 'male, middle-aged, moderate pitch, american accent'],
  ['Grand Stage', 'entertainment', 'female, elderly, moderate pitch, british accent'],
  ['Product Launch', 'advertisement', 'male, middle-aged, low pitch'],
  ['City Campaign', 'advertisement', 'female, middle-aged, moderate pitch, american accent'],
  ['Road Trip', 'advertisement', 'male, young adult, moderate pitch, australian accent'],
  ['Lecture Hall', 'informative', 'female, middle-aged, low pitch, british accent'],
  ['Science Minute', 'informative', 'male, young adult, moderate pitch'],
  ['Newsroom', 'informative', 'male, middle-aged, moderate pitch'],
]

export const ROLES: readonly (readonly [ArchetypeRole, UseCase, string])[] = [
  ['Narrator', 'narration', 'male, middle-aged, low pitch'],
  ['Explainer', 'informative', 'female, middle-aged, moderate pitch'],
  ['Companion', 'conversational', 'female, young adult, moderate pitch'],
]
