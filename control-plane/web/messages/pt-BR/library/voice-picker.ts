// The words of the list from which a voice is chosen, in Brazilian Portuguese.
import { plural } from '../language.ts'

export const strings = {
  find: 'Buscar uma voz',
  results: 'Vozes',
  byDefault: 'Padrão',
  language: 'Idioma',
  allLanguages: 'Todos os idiomas',
  showAll: 'Mostrar todas',
  showAllOf: (group: string) => `Mostrar todas: ${group}`,
  nothing: 'Nenhuma voz tem esse nome.',
  nothingHere: 'Nenhuma voz fala este idioma.',
  found: (count: number) => plural(count, { one: '# voz', many: '# de vozes', other: '# vozes' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'Boa noite. A luz da torre está acesa, e o último navio já está em casa.',
  newVoice: 'Nova voz…',
  keys: { play: 'reproduz', choose: 'escolhe' },
  spaceKey: 'Espaço',
  keyHelp: 'As setas movem, Espaço reproduz uma amostra, Enter escolhe e Esc fecha.',
  playing: (name: string) => `Reproduzindo uma amostra de ${name}.`,
}
