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
/** Labels of the switches. */
export const SKILL_TITLES: Readonly<Record<SkillId, string>> = {
  dub_translation: 'Translate dubs',
  cinematic_translation: 'Rewrite translations to sound spoken',
  slot_fitting: 'Shorten lines that are too long',
  glossary_extract: 'Suggest a glossary',
  direction_parse: 'Understand directions for a line',
  dictation_refinement: 'Polish dictated text',
}

export const isSkill = (id: string): id is SkillId => (SKILLS as readonly string[]).includes(id)
