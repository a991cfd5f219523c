// The words of People and keys, in French.
import { plural } from '../language.ts'

export const strings = {
  invite: 'Inviter une personne',
  createKey: 'Créer une clé',
  tabs: { all: 'Tout', person: 'Personnes', program: 'Programmes', ended: 'Terminés' },
  columns: { name: 'Nom', used: 'Utilisé ce mois-ci', may: 'Peut', last: 'Dernière utilisation', ends: 'Fin' },
  you: 'Vous',
  owner: 'Propriétaire du studio',
  kinds: { person: 'Personne', program: 'Programme' },
  keyCount: (count: number) => plural(count, { one: '# clé', many: '# de clés', other: '# clés' }),
  none: 'Aucun élément.',
  usageFile: 'Utilisation en CSV',

  hours: (count: string) => `${count}\u00a0h`,
  ofLimit: (used: string, limit: string) => `${used} sur ${limit}`,
  unlimited: (used: string) => `${used}, sans limite`,
  nothing: '—',
  never: 'Jamais',

  for: 'Pour',
  roleHints: {
    listen: 'Écouter et télécharger ce qui est dans la bibliothèque',
    create: 'Parler, transcrire, doubler. Voit son propre travail, sans réglages',
    operate: 'Tout sauf les clés\u00a0: machines, modèles, réglages',
    own: 'Tout, y compris les clés et le travail de chaque personne',
  },
  on: 'Sur',
  sound: 'Son par jour',
  gpu: 'Temps de GPU par mois',
  tasks: 'Tâches à la fois',
  disk: 'Disque',
  noLimit: 'Sans limite',
  inDays: (days: number) => plural(days, { one: 'Dans # jour', many: 'Dans # de jours', other: 'Dans # jours' }),
  once: 'La clé ne s’affiche qu’une fois.',
  onlyHere: 'Cette adresse ne fonctionne que sur cette machine.',
  invitation: (address: string, key: string) => `Ouvrez ${address} et connectez-vous avec cette clé\u00a0:\n${key}`,

  keys: 'Clés',
  firstKey: 'Clé',
  created: 'Création',
  fact: (name: string, value: string) => `${name}\u00a0: ${value}`,
  replace: 'Remplacer',
  oldEnds: 'Fin de l’ancienne clé',
  /** By seconds. */
  oldEndings: { 0: 'Tout de suite', 86400: 'Dans 24 heures', 604800: 'Dans 7 jours' },
  endKeyYes: 'Mettre fin à la clé',
  taskCount: (count: number) => plural(count, { one: '# tâche', many: '# de tâches', other: '# tâches' }),
  ofSound: (time: string) => `${time} de son`,
  ofGpu: (time: string) => `${time} sur un GPU`,
  endText: 'Les sessions prennent fin tout de suite. Ce qui a été créé est conservé.',
  endYes: 'Mettre fin à l’accès',
}
