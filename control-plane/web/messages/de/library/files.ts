// The words of the Files page, in German.
import { plural } from '../language.ts'

export const strings = {
  find: 'Datei suchen',
  kind: 'Art',
  all: 'Alle',
  kinds: { take: 'Take', book: 'Hörbuch', dub: 'Synchronfassung', transcript: 'Transkript' },
  columns: { name: 'Name', kind: 'Art', voice: 'Erstellt mit', length: 'Länge', size: 'Größe', made: 'Erstellt', actions: 'Aktionen' },
  removed: 'Entfernt',
  none: 'Noch keine Dateien. Takes, fertige Bücher, Synchronfassungen und Transkripte erscheinen hier.',
  noneFound: 'Keine passende Datei.',
  showAll: 'Filter zurücksetzen',
  foundSoFar: (count: number) => plural(count, { one: 'Bisher # Datei', other: 'Bisher # Dateien' }),
  found: (count: number) => plural(count, { one: '# Datei', other: '# Dateien' }),
  more: (count: number) => `${count} weitere anzeigen`,
  chapters: (chapters: number) => plural(chapters, { one: '# Kapitel', other: '# Kapitel' }),
  downloadOf: (name: string) => `${name} herunterladen`,
  deleteOf: (name: string) => `${name} löschen`,
  deleteTitle: (name: string) => `${name} löschen?`,
  deleteHints: {
    book: 'Das Buch und seine Dateien werden gelöscht. Das lässt sich nicht rückgängig machen.',
    dub: 'Die Synchronfassung wird mit Film, Zeilen und Sprachspuren gelöscht. Das lässt sich nicht rückgängig machen.',
  },
  deleteYes: 'Löschen',
  keep: 'Behalten',
  deleted: 'Gelöscht.',
}
