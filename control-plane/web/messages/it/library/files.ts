// The words of the Files page, in Italian.
import { plural } from '../language.ts'

export const strings = {
  find: 'Cerca un file',
  kind: 'Tipo',
  all: 'Tutti',
  kinds: { take: 'Take', book: 'Audiolibro', dub: 'Doppiaggio', transcript: 'Trascrizione' },
  columns: { name: 'Nome', kind: 'Tipo', voice: 'Creato con', length: 'Durata', size: 'Dimensione', made: 'Creazione', actions: 'Azioni' },
  removed: 'Rimosso',
  none: 'Ancora nessun file. Take, libri finiti, doppiaggi e trascrizioni compaiono qui.',
  noneFound: 'Nessun file corrisponde.',
  showAll: 'Azzera filtri',
  foundSoFar: (count: number) => plural(count, { one: '# file finora', many: '# file finora', other: '# file finora' }),
  found: (count: number) => plural(count, { one: '# file', many: '# file', other: '# file' }),
  more: (count: number) => `Mostra altri ${count}`,
  chapters: (chapters: number) => plural(chapters, { one: '# capitolo', many: '# capitoli', other: '# capitoli' }),
  downloadOf: (name: string) => `Scarica ${name}`,
  deleteOf: (name: string) => `Elimina ${name}`,
  deleteTitle: (name: string) => `Eliminare ${name}?`,
  deleteHints: {
    book: 'Il libro e i suoi file vengono eliminati. L’azione è irreversibile.',
    dub: 'Il doppiaggio viene eliminato con film, battute e tracce vocali. L’azione è irreversibile.',
  },
  deleteYes: 'Elimina',
  keep: 'Conserva',
  deleted: 'Eliminato.',
}
