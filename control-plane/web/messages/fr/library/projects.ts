// The words of the Projects page, in French.
import { plural } from '../language.ts'

export const strings = {
  find: 'Chercher un projet',
  kind: 'Type',
  all: 'Tous',
  kinds: {
    ...{ project: 'Projet', dub: 'Doublage', audiobook: 'Livre audio', story: 'Histoire', speech: 'Synthèse', book: 'Manuscrit' },
    transcript: 'Transcription',
  },
  kindIn: (kind: string, language: string) => (language ? `${kind} · ${language}` : kind),
  columns: { name: 'Nom', kind: 'Type', state: 'État', length: 'Durée', changed: 'Modifié', actions: 'Actions' },
  linesToDo: (lines: number) =>
    plural(lines, { one: '# réplique, non générée', many: '# répliques, non générées', other: '# répliques, non générées' }),
  linesSpoken: (lines: number) => plural(lines, { one: '# réplique générée', many: '# répliques générées', other: '# répliques générées' }),
  stopped: (done: number, all: number) => `Arrêté au chapitre ${Math.min(done + 1, all)} sur ${all}`,
  draft: 'Brouillon',
  made: 'Terminé',
  transcribed: 'Transcrit',
  none: 'Aucun projet. Les doublages, les livres et ce que vous sauvegardez s’affichent ici.',
  noneFound: 'Aucun projet ne correspond.',
  showAll: 'Effacer les filtres',
  found: (count: number) => plural(count, { one: '# projet', many: '# projets', other: '# projets' }),
  more: (count: number) => `En afficher ${count} de plus`,
  rename: 'Renommer',
  duplicate: 'Dupliquer',
  delete: 'Supprimer…',
  actionsOf: (name: string) => `Actions\u00a0: ${name}`,
  name: 'Nom',
  renameTitle: 'Renommer le projet',
  copyOf: (name: string) => `${name} (copie)`,
  duplicated: 'Le projet a été dupliqué.',
  deleteTitle: (name: string) => `Supprimer ${name}\u00a0?`,
  deleteDub:
    'Son film, ses répliques, ses prises et ses pistes de voix sont supprimés, et ses travaux annulés. Cette action est irréversible.',
  deleteYes: 'Supprimer',
  keep: 'Conserver',
  deleted: 'Supprimé.',
  projectDeleted: (name: string) => `Suppression effectuée\u00a0: ${name}.`,
}
