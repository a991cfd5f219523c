// Simplified Chinese. Intl has nothing between the items of a unit list; written Chinese has the mark of its other lists.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'zh-Hans',
  name: '简体中文',
  forms: ['other'],
  marks: { decimal: '.', list: '、', groups: ',' },
})
