// English, the language of the pages.
import { languageOf } from '../language.ts'

export const { lang, plural, grouped, decimal, list, day } = languageOf({
  lang: 'en',
  forms: ['one', 'other'],
  marks: { decimal: '.', list: ', ', groups: ',' },
})
