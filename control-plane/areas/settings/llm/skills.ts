// The uses of a language model, each with a switch and a provider of its own.

export const SKILLS = [
  'dub_translation',
  'cinematic_translation',
  'slot_fitting',
  'glossary_extract',
  'direction_parse',
  'dictation_refinement',
] as const
export type SkillId = (typeof SKILLS)[number]

export const isSkill = (id: string): id is SkillId => (SKILLS as readonly string[]).includes(id)
