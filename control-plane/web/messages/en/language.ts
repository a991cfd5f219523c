// English, the language of the pages.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'en',
  name: 'English',
  forms: ['one', 'other'],
  marks: { decimal: '.', list: ', ', groups: ',' },
})
