// The words about takes that Speak, Files, Settings and the palette share, in French.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'Chercher dans les prises',
  from: 'Prises affichées',
  all: 'Toutes',
  starred: 'Favorites',
  noneFound: 'Aucune prise ne correspond.',
  showAll: 'Effacer les filtres',
  more: 'Afficher plus',
  deleteAll: 'Tout supprimer',
  deleteAllHint: 'Supprimer toutes les prises sauf les favorites',
  deleted: (name: string) => `Supprimée\u00a0: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# prise supprimée.', many: '# prises supprimées.', other: '# prises supprimées.' }),
  tooLate: 'Ces prises n’existent plus. Une prise supprimée peut être rétablie pendant une minute.',
  downloadAs: 'Télécharger en…',
  downloadOf: (name: string) => `Télécharger\u00a0: ${name}`,
  formats: {
    mp3: ['MP3', 'Lisible partout'],
    wav: ['WAV', 'Qualité d’origine'],
    m4a: ['M4A', 'Pour téléphones et tablettes'],
    flac: ['FLAC', 'Sans perte, moitié moins lourd'],
    opus: ['Opus', 'Le plus petit'],
  },
  needsTools: 'Nécessite les outils multimédias. Ouvrir Configuration',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `${grouped(cap)} au maximum sont conservées. ${plural(count, { one: 'La prochaine prise supprime la plus ancienne.', many: 'La prochaine prise supprime les # plus anciennes.', other: 'La prochaine prise supprime les # plus anciennes.' })}`,
  keeps: (cap: number) => `Les ${grouped(cap)} plus récentes sont conservées.`,
  keepsAll: 'Toutes sont conservées.',
  change: 'Modifier',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: '# prise pour l’instant', many: '# prises pour l’instant', other: '# prises pour l’instant' })}${starred > 0 ? `, dont ${plural(starred, { one: '# favorite', many: '# favorites', other: '# favorites' })}` : ''}.`,
  compareTakes: 'Comparer deux prises',
  compareOf: (name: string) => `Comparer\u00a0: ${name}`,
  compareWith: 'Choisissez une seconde prise à comparer.',
  compareEnd: 'Terminer la comparaison',
}
