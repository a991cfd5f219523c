// Hindi.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'hi',
  name: 'हिन्दी',
  forms: ['one', 'other'],
  marks: { decimal: '.', list: ', ', groups: ',' },
  groupDigits: 2,
})
