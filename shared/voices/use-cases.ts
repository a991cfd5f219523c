// The use cases of designed voices. The order is that of the list for callers; icons are names of the icon set of the web page.
import { AUTO, type VoiceChoices } from './words.ts'

export type UseCase = 'narration' | 'conversational' | 'characters' | 'social' | 'entertainment' | 'advertisement' | 'informative'
export type UseCaseRow = { readonly id: UseCase; readonly name: string; readonly icon: string }

export const USE_CASES: readonly UseCaseRow[] = [
  { id: 'narration', name: 'Narration & Story', icon: 'BookOpen' },
  { id: 'conversational', name: 'Conversational', icon: 'MessagesSquare' },
  { id: 'characters', name: 'Characters & Animation', icon: 'Drama' },
  { id: 'social', name: 'Social Media', icon: 'Smartphone' },
  { id: 'entertainment', name: 'Entertainment & TV', icon: 'Tv' },
  { id: 'advertisement', name: 'Advertisement', icon: 'Megaphone' },
  { id: 'informative', name: 'Informative & Educational', icon: 'GraduationCap' },
]

/** The first rule that applies decides. A dialect is no accent. */
export function useCaseOf({ Age, Pitch, Style, EnglishAccent }: VoiceChoices): UseCase {
  if (Style !== AUTO) return 'narration'
  if (Age === 'child' || Age === 'teenager' || Pitch === 'very high pitch') return 'characters'
  if (Pitch.endsWith('low pitch') && (Age === 'middle-aged' || Age === 'elderly')) return 'narration'
  if (Pitch === 'high pitch' && Age === 'young adult') return 'social'
  if (EnglishAccent === AUTO && Age === 'middle-aged' && Pitch === 'moderate pitch') return 'informative'
  if (Age === 'young adult') return 'conversational'
  return Age === 'elderly' ? 'entertainment' : 'advertisement'
}
