// French.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'fr',
  name: 'Français',
  forms: ['one', 'many', 'other'],
  marks: { decimal: ',', list: ', ', groups: '\u202f' },
})
