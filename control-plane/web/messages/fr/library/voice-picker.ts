// The words of the list from which a voice is chosen, in French.
import { plural } from '../language.ts'

export const strings = {
  find: 'Chercher une voix',
  results: 'Voix',
  byDefault: 'Par défaut',
  language: 'Langue',
  allLanguages: 'Toutes les langues',
  showAll: 'Tout afficher',
  showAllOf: (group: string) => `Tout afficher\u00a0: ${group}`,
  nothing: 'Aucune voix ne porte ce nom.',
  nothingHere: 'Aucune voix ne parle cette langue.',
  found: (count: number) => plural(count, { one: '# voix', many: '# voix', other: '# voix' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'Bonsoir. La lampe de la tour est allumée, et le dernier navire est rentré au port.',
  newVoice: 'Nouvelle voix…',
  keys: { play: 'écouter', choose: 'choisir' },
  spaceKey: 'Espace',
  keyHelp: 'Les flèches déplacent, Espace lit un échantillon, Entrée choisit, Esc ferme.',
  playing: (name: string) => `Lecture d’un échantillon\u00a0: ${name}.`,
}
