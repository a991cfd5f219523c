// The words of the Health page, in French.
import { isolated } from '#control-plane/web/lib/format.ts'
import { grouped, plural } from '../language.ts'

export const strings = {
  allWell: 'Tout va bien.',
  reading: 'Lecture des mesures…',
  quarantined: (name: string) => `${isolated(name)} est en quarantaine\u00a0: deux machines ont utilisé sa clé.`,
  unresponsive: (name: string) => `${isolated(name)} est connectée mais ne répond pas.`,
  paused: (name: string) => `${isolated(name)} est en pause après des échecs.`,
  expires: (days: number) =>
    plural(days, {
      one: 'Les certificats des machines expirent dans # jour.',
      many: 'Les certificats des machines expirent dans # jours.',
      other: 'Les certificats des machines expirent dans # jours.',
    }),
  more: (count: number) => plural(count, { one: 'Et # autre.', many: 'Et # autres.', other: 'Et # autres.' }),
  doctor: 'Lancer le diagnostic',
  sinceStart: 'depuis le démarrage',
  now: 'maintenant',
  none: '—',
  firstSound: 'Premier son',
  within: (time: string) => `95\u00a0% en ${time} ou moins`,
  noSound: 'Aucun son pour l’instant',
  made: 'Réalisé',
  tasks: (count: number) => plural(count, { one: '# tâche', many: '# tâches', other: '# tâches' }),
  share: (share: string) => `${share} du total`,
  gpuMemory: 'Mémoire GPU',
  memory: 'Mémoire',
  of: (used: string, all: string) => `${used} sur ${all}`,
  models: (count: number) => plural(count, { one: '# modèle est chargé', many: '# modèles sont chargés', other: '# modèles sont chargés' }),
  processor: (share: string) => `Processeur à ${share}`,
  running: 'En cours',
  waiting: (count: number) => `${grouped(count)} en attente`,
  machines: 'Machines',
  aPiece: 'médiane par tâche',
  disk: 'Disque',
  free: (free: string, all: string) => `${free} libres sur ${all}`,
  certificates: 'Certificats',
  renew: 'Ils se renouvellent d’eux-mêmes',
  days: (days: number) => plural(days, { one: '# jour', many: '# jours', other: '# jours' }),
  backups: 'Copie de sécurité',
  noBackup: 'Aucune pour l’instant\u00a0; une est créée avant chaque mise à jour',
  backedUp: (when: string, size: string) => `${when}, ${size}`,
  checks: 'Diagnostic',
  passed: (passed: number, all: number) =>
    `${plural(passed, { one: '# vérification réussie', many: '# vérifications réussies', other: '# vérifications réussies' })} sur ${grouped(all)}`,
}
