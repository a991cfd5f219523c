// The words of the Files page, in French.
import { plural } from '../language.ts'

export const strings = {
  find: 'Chercher un fichier',
  kind: 'Type',
  all: 'Tous',
  kinds: { take: 'Prise', book: 'Livre audio', dub: 'Doublage', transcript: 'Transcription' },
  columns: { name: 'Nom', kind: 'Type', voice: 'Créé avec', length: 'Durée', size: 'Taille', made: 'Créé', actions: 'Actions' },
  removed: 'Supprimé',
  none: 'Aucun fichier. Les prises, les livres terminés, les doublages et les transcriptions s’affichent ici.',
  noneFound: 'Aucun fichier ne correspond.',
  showAll: 'Effacer les filtres',
  foundSoFar: (count: number) => plural(count, { one: '# fichier jusqu’ici', many: '# fichiers jusqu’ici', other: '# fichiers jusqu’ici' }),
  found: (count: number) => plural(count, { one: '# fichier', many: '# fichiers', other: '# fichiers' }),
  more: (count: number) => `En afficher ${count} de plus`,
  chapters: (chapters: number) => plural(chapters, { one: '# chapitre', many: '# chapitres', other: '# chapitres' }),
  downloadOf: (name: string) => `Télécharger ${name}`,
  deleteOf: (name: string) => `Supprimer ${name}`,
  deleteTitle: (name: string) => `Supprimer ${name}\u00a0?`,
  deleteHints: {
    book: 'Le livre et ses fichiers sont supprimés. Cette action est irréversible.',
    dub: 'Le doublage est supprimé avec son film, ses répliques et ses pistes de voix. Cette action est irréversible.',
  },
  deleteYes: 'Supprimer',
  keep: 'Conserver',
  deleted: 'Supprimé.',
}
