// Brazilian Portuguese.
import { languageOf } from '../language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'pt-BR',
  name: 'Português (Brasil)',
  forms: ['one', 'many', 'other'],
  marks: { decimal: ',', list: ', ', groups: '.' },
})
