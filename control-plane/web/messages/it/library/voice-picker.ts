// The words of the list from which a voice is chosen, in Italian.
import { plural } from '../language.ts'

export const strings = {
  find: 'Cerca una voce',
  results: 'Voci',
  byDefault: 'Predefinita',
  language: 'Lingua',
  allLanguages: 'Tutte le lingue',
  showAll: 'Mostra tutte',
  showAllOf: (group: string) => `Mostra tutte: ${group}`,
  nothing: 'Nessuna voce si chiama così.',
  nothingHere: 'Nessuna voce parla questa lingua.',
  found: (count: number) => plural(count, { one: '# voce', many: '# voci', other: '# voci' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'Buonasera. La luce della torre è accesa, e l’ultima nave è tornata a casa.',
  newVoice: 'Nuova voce…',
  keys: { play: 'riproduce', choose: 'sceglie' },
  spaceKey: 'Spazio',
  keyHelp: 'Le frecce scorrono, Spazio riproduce un campione, Invio sceglie, Esc chiude.',
  playing: (name: string) => `Riproduzione di un campione di ${name}.`,
}
