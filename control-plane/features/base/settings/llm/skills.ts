// The uses of a language model, each with a switch and a provider of its own.
import type { Label } from '#control-plane/store/setting.ts'

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
export const SKILL_LABELS: Readonly<Record<SkillId, Label>> = {
  dub_translation: { title: 'Translate dubs', help: 'The lines of a film, with those around them as context.' },
  cinematic_translation: {
    title: 'Rewrite translations to sound spoken',
    help: 'A second pass for dubs with the quality Cinematic.',
  },
  slot_fitting: { title: 'Shorten lines that are too long', help: 'Lines that would have to be spoken too fast are written shorter.' },
  glossary_extract: { title: 'Suggest a glossary', help: 'Names and terms of a film, and how to translate them.' },
  direction_parse: { title: 'Understand directions for a line', help: '"Whispering, then louder" becomes settings of the voice.' },
  dictation_refinement: { title: 'Polish dictated text', help: 'As Dictation says.' },
}

export const isSkill = (id: string): id is SkillId => (SKILLS as readonly string[]).includes(id)
