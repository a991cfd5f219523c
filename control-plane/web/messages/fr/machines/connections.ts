// The words of the sections that connect machines, in French: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const add = {
  title: 'Ajouter une machine',
  intro: 'L’autre machine se connecte à ce studio avec un code à usage unique. Elle n’a besoin d’aucun port ouvert.',
  name: 'Nom de la machine',
  nameHint: 'Le nom affiché ici. Vous pourrez le changer plus tard.',
  address: 'Adresse de ce studio',
  detected: (endpoint: string) => `${endpoint} (détectée)`,
  fromPage: (host: string) => `${host} (adresse de cette page)`,
  other: 'Autre adresse…',
  otherLabel: 'Autre adresse',
  otherHint: 'HÔTE ou HÔTE:PORT, par exemple d’un routeur qui redirige le port.',
  validFor: 'Valable pendant',
  times: [
    [300, '5 minutes'],
    [900, '15 minutes'],
    [3600, '1 heure'],
    [86_400, '1 jour'],
  ] as [number, string][],
  create: 'Créer un code',
  createAnother: 'Créer un autre code',
  code: 'Code d’invitation',
  codeBefore: 'Le code est à usage unique et connecte à ',
  codeTime: '. Temps restant\u00a0: ',
  expired: 'aucun, il a expiré',
  onOther: 'Sur l’autre machine',
  ways: {
    npx: 'Avec Node 22.18 ou plus récent\u00a0:',
    container: 'Dans un conteneur\u00a0:',
    files: 'Dans un dossier contenant les fichiers empaquetés\u00a0:',
    checkout: 'Dans un checkout\u00a0:',
  } as Record<string, string>,
  thenLends:
    'La machine rejoint le studio, puis travaille sans terminal. Si ce n’est pas possible, la commande indique comment la démarrer.',
  sameLines: 'Les mêmes lignes sont affichées par',
  waiting: 'En attente de la machine. Elle s’affichera ici dès qu’elle aura rejoint le studio.',
  codeExpired: 'Le code a expiré.',
  joined: (isConnected: boolean) =>
    isConnected
      ? ' a rejoint le studio et est connectée.'
      : ` a rejoint le studio. Elle se connecte quand son agent fonctionne\u00a0: ${COMMAND} agent`,
  approved: 'Elle est approuvée.',
  notApproved: 'Rien n’y est envoyé tant que vous ne l’approuvez pas.',
  approve: 'Approuver…',
}

const secret = {
  copy: 'Copier',
  copied: 'Copié.',
  selected: 'Sélectionné. Copiez avec le clavier.',
  once: 'Cela ne sera plus affiché.',
  qr: (label: string) => `${label} en code QR`,
}

const connect = {
  title: 'Se connecter à une machine GPU',
  intro: `Pour une machine qui accepte les connexions. La personne qui la possède crée une chaîne de connexion pour vous sur sa page Machines, ou avec ${COMMAND} agent keys add.`,
  remoteOff: 'Activez d’abord les machines distantes.',
  string: 'Chaîne de connexion',
  stringHint: 'Gardez-la secrète. Elle appartient au premier studio qui l’utilise.',
  connect: 'Connecter',
  connecting: (endpoint: string) => `Connexion à ${endpoint}.`,
  connections: 'Connexions',
  connected: 'Connectée',
  notConnected: 'Non connectée',
  remove: shared.remove,
  removeOne: (endpoint: string) => `Retirer la connexion à ${endpoint}`,
  removeTitle: 'Retirer cette connexion\u00a0?',
  removeWarning: 'Le studio s’en déconnecte et retire la machine. Pour la réutiliser, il faudra une nouvelle chaîne de connexion.',
  removed: 'La connexion est retirée.',
}

const share = {
  title: 'Partager cette machine',
  intro: 'D’autres studios se connectent à cette machine et utilisent son GPU. Chaque personne reçoit une clé.',
  on: 'Activé',
  off: 'Désactivé',
  listeningOn: 'À l’écoute sur ',
  reach: (isExposed: boolean) =>
    isExposed
      ? '. D’autres machines peuvent la joindre, mais seule une clé donne accès.'
      : '. Seuls les programmes de cette machine peuvent la joindre.',
  startError: (reason: string) => `Impossible de démarrer l’écoute\u00a0: ${reason}`,
  address: 'Adresse d’écoute',
  addressHint: '127.0.0.1\u00a0: seulement les programmes de cette machine. 0.0.0.0\u00a0: toute machine qui peut joindre celle-ci.',
  port: 'Port',
  start: 'Partager',
  change: 'Changer l’adresse',
  stop: 'Arrêter le partage',
  started: 'Cette machine est partagée.',
  stopped: 'Cette machine n’est plus partagée.',
  keys: 'Clés',
  newKey: 'Nouvelle clé…',
  noKeys: 'Aucune clé.',
  keyTitle: 'Nouvelle clé',
  person: 'Personne',
  personHint: '64 caractères au maximum.',
  createKey: 'Créer la clé',
  keyFor: 'Réservée à ',
  keyForOne: '. La clé appartient au premier studio qui l’utilise.',
  string: 'Chaîne de connexion',
  localOnly:
    'Pour l’instant, seuls les programmes de cette machine peuvent l’utiliser. Pour accepter d’autres connexions, écoutez sur 0.0.0.0 ou sur une adresse du réseau.',
  state: 'État',
  lastSeen: 'Dernière connexion',
  actions: 'Actions',
  keyStates: { revoked: 'Révoquée', connected: 'Connectée', unused: 'Jamais utilisée', away: 'Non connectée' },
  revoke: 'Révoquer',
  revokeOne: (name: string) => `Révoquer la clé\u00a0: ${name}`,
  revokeTitle: 'Révoquer cette clé\u00a0?',
  revokeBefore: 'L’accès accordé à ',
  revokeAfter: ' prend fin maintenant, et ses tâches sont arrêtées. Cette action est irréversible.',
  revoked: 'La clé est révoquée.',
  connected: 'Connexions',
  noSessions: 'Personne n’est connecté.',
  from: (peer: string) => ` depuis ${peer}, connexion `,
  tasksRun: (count: number) => plural(count, { one: ', # tâche exécutée', many: ', # tâches exécutées', other: ', # tâches exécutées' }),
  disconnect: 'Déconnecter',
  disconnectOne: (name: string) => `Déconnecter ${name}`,
  disconnected: 'Déconnexion effectuée. Le studio peut se reconnecter après une minute. Révoquez sa clé pour lui fermer l’accès.',
  events: (count: number) => `Journal des connexions (${count})`,
  someone: 'Origine inconnue',
  event: (peer: string, what: string, detail: string) => ` depuis ${peer}, ${what}${detail && `\u00a0: ${detail}`}`,
  eventKinds: { connected: 'connexion', disconnected: 'déconnexion', kicked: 'déconnexion forcée', rejected: 'connexion refusée' },
}

const lend = {
  title: 'Prêter avec un code d’invitation',
  section: 'Prêter cette machine',
  states: {
    none: 'Aucun studio',
    off: 'Désactivé',
    finishing: 'Fin en cours',
    lending: 'Prêt en cours',
    searching: 'Non connectée',
    unknown: 'Inconnu',
  },
  none: 'Cette machine n’a rejoint aucun autre studio.',
  off: (studio: string) => `Elle a rejoint ${studio} et ne prête rien pour l’instant.`,
  finishing: (studio: string, held: number) =>
    `Elle termine ${plural(held, { one: '# tâche', many: '# tâches', other: '# tâches' })} pour ${studio} et n’en prend plus de nouvelles.`,
  lending: (studio: string, held: number) =>
    `Elle est prêtée à ${studio} et exécute ${plural(held, { one: '# tâche', many: '# tâches', other: '# tâches' })}.`,
  searching: (studio: string) => `Connexion à ${studio}.`,
  studioAt: (name: string, endpoint: string) => `${name || 'un studio'} (${endpoint})`,
  lastError: (error: string) => `Dernier problème\u00a0: ${error}`,
  pinned: 'La variable d’environnement STUDIO_WORKER_MODE fixe ce choix. Vous ne pouvez pas le changer ici.',
  start: 'Commencer le prêt',
  stop: 'Arrêter le prêt',
  started: 'Cette machine est prêtée.',
  stopped: 'Cette machine n’est plus prêtée.',
  join: 'Rejoindre et prêter',
  joinAnother: 'Rejoindre un autre studio',
  joined: 'Studio rejoint. Cette machine est prêtée.',
  code: 'Code d’invitation de l’autre studio',
  codeHint: 'Créé sur la page Machines de ce studio avec Ajouter une machine. Cette machine traite ensuite ce que ce studio lui envoie.',
}

export const strings = { add, secret, connect, share, lend }
