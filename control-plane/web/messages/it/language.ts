// Italian.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'it',
  name: 'Italiano',
  forms: ['one', 'many', 'other'],
  marks: { decimal: ',', list: ', ', groups: '.' },
  groupsFrom: 10_000,
})
