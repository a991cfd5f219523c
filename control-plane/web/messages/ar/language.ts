// Arabic.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'ar',
  name: 'العربية',
  direction: 'rtl',
  forms: ['zero', 'one', 'two', 'few', 'many', 'other'],
  marks: { decimal: '.', list: '، و', groups: ',' },
})
