// German.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'de',
  name: 'Deutsch',
  forms: ['one', 'other'],
  marks: { decimal: ',', list: ', ', groups: '.' },
})
