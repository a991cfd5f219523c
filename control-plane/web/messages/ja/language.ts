// Japanese. Intl has a space between the items of a unit list; written Japanese has the mark of its other lists.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'ja',
  name: '日本語',
  forms: ['other'],
  marks: { decimal: '.', list: '、', groups: ',' },
})
