// The words of the views and dialogs that the Machines page opens, in French.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'Exécuter sur',
  target: 'Exécuter les travaux sur',
  automatic: 'Automatique (la plus rapide)',
  unavailable: (name: string, why: string) => `${name} (${why})`,
  showFor: 'Afficher le routage pour',
  runningOn: (name: string) => `En cours sur ${name}`,
  fastest: 'la machine la plus rapide',
  thisMachine: 'cette machine',
  saved: 'Sauvegardé.',
  where: 'Où vont les travaux maintenant',
  operations: [
    ['', 'Tout'],
    ['tts', 'Synthèse vocale'],
    ['audiobook', 'Livres audio'],
    ['dub', 'Doublage'],
    ['clone', 'Clonage de voix'],
    ['asr', 'Transcription'],
    ['dictation', 'Dictée'],
    ['diarize', 'Détection des intervenants'],
    ['identify', 'Détection de la langue'],
    ['translate', 'Traduction'],
  ] as [string, string][],
}

const security = {
  title: 'Autorité de certification',
  intro:
    'Elle signe les certificats de toutes les machines, qui prouvent leur identité. Comparez son empreinte avec celle qu’une machine affiche en rejoignant le studio.',
  fingerprint: 'Empreinte',
  next: 'Suivante',
  previous: 'Précédente',
  validUntil: 'Valable jusqu’au',
  phases: { steady: 'En service', prepared: 'Remplacement préparé', activated: 'Remplacement en service' },
  behind: 'Utilisent encore le certificat précédent',
  mustJoinAgain: 'Doivent rejoindre à nouveau',
  replace: 'Remplacer l’autorité',
  steps: {
    prepare:
      'Remplacez-la si sa clé a pu être divulguée, ou si elle expire bientôt. L’étape 1 crée la suivante\u00a0; toutes les machines en sont informées.',
    activate: 'L’étape 2 utilise la suivante pour les nouveaux certificats. Les anciens codes et certificats restent valables.',
    retire: 'L’étape 3 met fin à la précédente. Elle attend que chaque machine ait un nouveau certificat.',
  },
  actions: { prepare: 'Préparer la suivante', activate: 'Utiliser la suivante', retire: 'Mettre fin à la précédente…' },
  done: {
    prepare: 'L’autorité suivante est préparée.',
    activate: 'L’autorité suivante est en service.',
    retire: 'L’autorité précédente n’est plus en service.',
  },
  retireTitle: 'Mettre fin à l’autorité précédente\u00a0?',
  retireYes: 'Y mettre fin',
  retireWarning: 'Les certificats et les codes de l’autorité précédente ne fonctionneront plus. Cette action est irréversible.',
}

const dialogs = {
  approveTitle: 'Approuver cette machine\u00a0?',
  approveBefore: 'Si vous approuvez ',
  approveAfter: ', le studio lui envoie ce dont ses tâches ont besoin\u00a0:',
  sent: [
    ['les textes', ' à dire ou à traduire,'],
    ['les sons', ' à transcrire ou à traiter,'],
    ['les voix', ' utilisées\u00a0: leurs échantillons et leurs descriptions.'],
  ],
  destinationBefore: 'Les données vont à ',
  destinationKey: ', à la machine dont la clé est ',
  destinationAfter: '. La connexion est chiffrée.',
  unknownAddress: 'une adresse connue dès sa connexion',
  approveWarning: 'La personne propriétaire de cette machine pourra les lire, les écouter et les conserver.',
  approveAdvice: ' N’approuvez une machine que si vous faites confiance à la personne qui la possède.',
  approveNote:
    'Vous pouvez retirer l’approbation à tout moment. Ses tâches sont alors arrêtées et leurs données y sont effacées, mais pas les copies déjà faites sur place.',
  notNow: 'Pas maintenant',
  approve: 'Approuver',
  useQuestion: 'Comment sera-t-elle utilisée\u00a0?',
  uses: { automatic: 'Automatiquement', chosen: 'Seulement si je la choisis' },
  useHints: {
    automatic: 'Les travaux vont à la machine qui termine en premier\u00a0: celle-ci, ou toute machine que vous avez approuvée.',
    chosen: 'Rien ne change pour l’instant. Choisissez-la dans «\u00a0Exécuter les travaux sur\u00a0» pour l’utiliser.',
  },
  endsAutomatic:
    'Les travaux s’exécutent alors sur cette machine jusqu’à ce que vous en choisissiez une autre dans «\u00a0Exécuter les travaux sur\u00a0».',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic'
      ? `${name} est approuvée et reçoit des tâches automatiquement.`
      : `${name} est approuvée. Choisissez-la pour l’utiliser.`,

  changeTitle: 'Renommer ou définir la priorité',
  name: 'Nom',
  nameHint: '120 caractères au maximum. S’il est vide, la clé est affichée à la place.',
  priority: 'Priorité, de 0 à 100',
  priorityHint: 'Quand deux machines termineraient en même temps, la plus prioritaire reçoit le travail. La valeur par défaut est 50.',
  saved: 'Sauvegardé.',

  withdrawTitle: 'Retirer l’approbation\u00a0?',
  withdraw: 'Retirer',
  withdrawBefore: 'Le studio cesse d’envoyer des données à ',
  withdrawAfter: '. Ses tâches sont arrêtées, leurs données y sont effacées, et elles s’exécutent ailleurs.',
  withdrawn: 'L’approbation est retirée.',

  releaseTitle: 'Libérer cette machine\u00a0?',
  release: 'Libérer',
  quarantined: ' est en quarantaine\u00a0:',
  alreadyReleased: 'Elle est déjà libérée.',
  releaseWarning:
    'Ne la libérez que si vous avez la certitude qu’une seule machine possède sa clé. La prochaine machine qui utilise la clé sera acceptée.',
  released: 'La machine est libérée.',

  removeTitle: 'Retirer cette machine\u00a0?',
  remove: shared.remove,
  removeBefore: 'La clé de la machine ',
  removeAfter: ' est révoquée et la machine est déconnectée. Ses tâches s’exécutent ailleurs.',
  removeWarning: 'Elle ne pourra pas revenir avec cette clé. Pour la réutiliser, ajoutez-la avec un nouveau code.',
  removed: 'La machine est retirée.',

  logTitle: 'Journal de cette machine',
  logNote: '\u00a0: les dernières lignes, de la plus ancienne à la plus récente. Les secrets et les textes des tâches sont omis.',
  logLines: 'Lignes du journal',
  logEmpty: 'Le journal est vide.',
  refresh: 'Actualiser',

  goneTitle: 'Cette machine n’est plus là',
  gone: 'Elle a été retirée, ou les machines distantes ont été désactivées.',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'Inconnu',
  readsNot: 'Rien, selon l’exploitant',
  keepsNothing: 'Rien après une tâche, selon l’exploitant',
  operator: 'Exploitant',
  location: 'Lieu',
  canDo: 'Peut faire',
  canRead: 'Peut lire',
  keeps: 'Conserve',
  reads: 'Les textes, échantillons et sons que vous envoyez',
  declared: 'L’exploitant le déclare. Le studio ne peut pas le vérifier.',
  share: 'Votre part',
  atOnce: 'En même temps',
  wait: 'Attente habituelle',
  slots: 'Places',
  you: (count: number) => `Vous ${grouped(count)}`,
  others: (count: number) => `Autres ${grouped(count)}`,
  free: (count: number) => `Libres ${grouped(count)}`,
  studios: (count: number) => `Studios actifs\u00a0: ${grouped(count)}`,
  older: (count: number) => `Versions plus anciennes\u00a0: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
