// The words of the Machines page, in French: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# tâche', many: '# tâches', other: '# tâches' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'Aucune autre machine'
  if (all === 1) return online === 1 ? '1 machine, en ligne' : '1 machine, hors ligne'
  if (online === 0) return `Les ${grouped(all)} machines sont hors ligne`
  return online === all ? `Les ${grouped(all)} machines sont en ligne` : `${grouped(online)} sur ${grouped(all)} machines en ligne`
}

const page = {
  machines: 'Machines',
  views: 'Vues',
  tabs: { '': 'Empruntées', shared: 'Partage', routing: 'Routage', security: 'Sécurité' },
  remote: (isOn: boolean) => `Machines distantes\u00a0: ${isOn ? 'activées' : 'désactivées'}`,
  turnOn: 'Activer les machines distantes',
  turnOff: 'Désactiver…',
  turnOffTitle: 'Désactiver les machines distantes\u00a0?',
  turnOffYes: 'Désactiver',
  turnOffWarning:
    'Toutes les machines sont déconnectées et le port est fermé. Leurs tâches sont arrêtées. Les machines restent inscrites et reviennent à la réactivation.',
  turnedOn: 'Les machines distantes sont activées.',
  turnedOff: 'Les machines distantes sont désactivées.',
  offNote: 'Tant que c’est désactivé, tous les travaux restent sur cette machine et aucune autre ne peut rejoindre le studio.',
  startError: (reason: string) => `Impossible d’activer les machines distantes\u00a0: ${reason}`,
  joinAt: 'Adresse pour rejoindre\u00a0: ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)} en cours`, waiting > 0 && `${tasks(waiting)} en attente`]
      .filter(Boolean)
      .join(' · '),
  add: 'Ajouter une machine…',
  connect: 'Connecter par chaîne…',
  routingNote: '«\u00a0Exécuter sur\u00a0: Automatique\u00a0» choisit la machine qui terminerait en premier. ',
  routingLink: 'Voir où s’exécute chaque type de travail',
}

const list = {
  find: 'Chercher une machine',
  findExample: 'Nom, matériel, adresse',
  state: 'État',
  all: (count: number) => `Toutes (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all
      ? plural(all, { one: '# machine', many: '# machines', other: '# machines' })
      : `${grouped(found)} sur ${plural(all, { one: '# machine', many: '# machines', other: '# machines' })}`,
  showAll: 'Tout afficher',
  empty: 'Cette machine seulement, pour l’instant. Ajoutez-en une avec un GPU pour accélérer la synthèse.',
  noneFound: 'Aucune machine ne correspond.',
}

const states = {
  ready: 'Prête',
  busy: 'Occupée',
  draining: 'En retrait',
  paused: 'En pause',
  unapproved: 'À approuver',
  off: 'Désactivée',
  offline: 'Hors ligne',
  unresponsive: 'Sans réponse',
  quarantined: 'En quarantaine',
}

const table = {
  pool: (count: number) => plural(count, { one: 'Groupe de # machine', many: 'Groupe de # machines', other: 'Groupe de # machines' }),
  columns: {
    machine: 'Machine',
    state: 'État',
    use: 'Usage',
    memory: 'Mémoire GPU',
    loaded: 'Chargés',
    latency: 'Latence',
    actions: 'Action',
  },
  none: '—',
  working: (count: number) => `Exécute ${tasks(count)}`,
  memoryUse: (used: string, all: string) => `${used} sur ${all}`,
  memoryOf: (use: string) => `Mémoire GPU\u00a0: ${use}`,
  noGpu: 'Sans GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Préférée', automatic: 'Automatique', low: 'Faible priorité', never: 'Jamais' },
  other: (priority: string) => `Priorité ${priority}`,
  label: (name: string) => `Usage\u00a0: ${name}`,
  notYet: 'Rien n’y est encore envoyé',
  saved: (name: string) => `Sauvegardé pour ${name}.`,
}

const card = {
  states,
  back: 'Toutes les machines',
  facts: 'Détails',
  address: 'Adresse',
  key: 'Clé',
  reasonsLabel: 'Pourquoi elle ne reçoit aucune tâche',
  device: 'Matériel',
  memory: 'Mémoire',
  system: 'Système',
  version: 'Version de Voice Studio',
  outdated: (version: string) => `${version}, plus ancienne que ce studio. Mettez-la à jour sur cette machine.`,
  models: 'Modèles chargés',
  none: 'Aucun',
  runsNow: 'En cours',
  idle: 'Rien',
  latency: 'Latence',
  ms: (ms: number) => `${ms}\u00a0ms`,
  lastSeen: 'Dernière connexion',
  now: 'Maintenant',
  priority: 'Priorité',
  priorityOf: (priority: number) => (priority === 50 ? 'Normale' : `${priority > 50 ? 'Haute' : 'Basse'} (${priority})`),
  unknown: 'Inconnu',
  cpuOnly: (count: number) =>
    plural(count, { one: 'CPU, # cœur, sans GPU', many: 'CPU, # cœurs, sans GPU', other: 'CPU, # cœurs, sans GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (présent mais inutilisable\u00a0: ${reason})`,
  gpuMemory: (free: string, all: string) => `${free} libres sur ${all} de mémoire GPU`,
  systemMemory: (size: string) => `${size} de mémoire`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} avec ${engine}, ${stage}`,
  stages: { assigned: 'proposée', accepted: 'acceptée', model_loading: 'chargement du modèle', result_uploading: 'livraison' },

  resume: 'Reprendre',
  approve: 'Approuver',
  release: 'Libérer',
  log: 'Journal',
  takeWork: 'Remettre en service',
  turnOn: 'Activer',
  turnOff: 'Désactiver',
  menu: 'Plus d’actions',
  rename: 'Renommer ou définir la priorité',
  drain: 'Mettre en retrait',
  drainHint: 'En retrait\u00a0: elle termine ses tâches et n’en prend plus de nouvelles.',
  withdraw: 'Retirer l’approbation',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}\u00a0: ${name}`,
  resumed: (name: string) => `${name} reçoit à nouveau des tâches.`,
  notResumed: (name: string, why: string) => `${name} ne reçoit toujours aucune tâche. ${why}`,
  draining: (name: string) => `${name} termine ses tâches et n’en prend plus de nouvelles.`,
  turnedOn: (name: string) => `${name} est activée.`,
  turnedOff: (name: string) => `${name} est désactivée.`,
}

const reasons = {
  quarantined: (why: string) => `En quarantaine\u00a0: ${why}. Rien n’y est envoyé tant que vous ne la libérez pas.`,
  unapproved: 'Rien n’y est envoyé tant que vous ne l’approuvez pas.',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'C’est maintenant un groupe de machines.',
    machine: 'Ce n’est plus un groupe de machines.',
    operator: (name: string) => `Il est maintenant exploité par ${name}.`,
    places: (names: string) => `Ses machines se trouvent maintenant ici\u00a0: ${names}.`,
    reads: 'L’exploitant peut maintenant lire ce qui est envoyé.',
    readsNot: 'L’exploitant déclare ne plus lire ce qui est envoyé.',
  },
  off: 'Vous l’avez désactivée. Ses tâches vont à d’autres machines.',
  notReached: (why: string) => `Non connectée. ${why || 'Le studio essaie toujours de se connecter.'}`,
  neverConnected: (name: string) => `${name} ne s’est encore jamais connectée. La personne qui la possède y démarre Voice Studio.`,
  offline: (name: string) => `${name} est éteinte ou déconnectée. La personne qui la possède y démarre Voice Studio.`,
  unresponsive: 'Elle est connectée mais ne répond pas. Consultez son journal.',
  drained: (count: number) =>
    count > 0
      ? `En retrait\u00a0: elle termine ${tasks(count)} et n’en reçoit plus de nouvelles.`
      : 'En retrait\u00a0: elle ne reçoit plus de tâches.',
  ending: (count: number) =>
    `Arrêt demandé sur place\u00a0: elle ${count > 0 ? `termine ${tasks(count)} et ` : ''}ne prend plus de nouvelles tâches.`,
  breaker: (model: string, summary: string) => `${model}\u00a0: ${summary}.`,
  lastConnected: (ago: string) => `Dernière connexion\u00a0: ${ago}.`,
  nextTry: (time: string) => `Prochaine tentative dans ${time}.`,
  nextTrySoon: 'Prochaine tentative dans un instant.',
  allSlots: 'Toutes les places sont prises.',
  waits: (count: number, why: string) =>
    `${plural(count, { one: '# tâche ne peut pas y aller', many: '# tâches ne peuvent pas y aller', other: '# tâches ne peuvent pas y aller' })}\u00a0: ${why}.`,
}

const work: Readonly<Record<string, string>> = {
  tts: 'Synthèse vocale',
  asr: 'Transcription',
  clean: 'Réduction du bruit',
  translate: 'Traduction',
  separate: 'Séparation des voix',
}

export const strings = { page, list, table, use, card, reasons }
