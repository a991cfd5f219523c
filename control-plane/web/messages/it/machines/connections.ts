// The words of the sections that connect machines, in Italian: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# attività', many: '# attività', other: '# attività' })

const add = {
  title: 'Aggiungi una macchina',
  intro: 'L’altra macchina si connette a questo studio con un codice che funziona una sola volta. Non le serve una porta aperta.',
  name: 'Nome della macchina',
  nameHint: 'Il nome mostrato qui. Puoi cambiarlo in seguito.',
  address: 'Indirizzo di questo studio',
  detected: (endpoint: string) => `${endpoint} (rilevato)`,
  fromPage: (host: string) => `${host} (indirizzo di questa pagina)`,
  other: 'Altro indirizzo…',
  otherLabel: 'Altro indirizzo',
  otherHint: 'HOST o HOST:PORTA, per esempio di un router che inoltra la porta.',
  validFor: 'Valido per',
  times: [
    [300, '5 minuti'],
    [900, '15 minuti'],
    [3600, '1 ora'],
    [86_400, '1 giorno'],
  ] as [number, string][],
  create: 'Crea codice',
  createAnother: 'Crea un altro codice',
  code: 'Codice di invito',
  codeBefore: 'Il codice funziona una sola volta e si connette a ',
  codeTime: '. Tempo rimasto: ',
  expired: 'nessuno, è scaduto',
  onOther: 'Sull’altra macchina',
  ways: {
    npx: 'Con Node 22.18 o versioni successive:',
    container: 'In un container:',
    files: 'In una cartella con i file del pacchetto:',
    checkout: 'In un checkout:',
  } as Record<string, string>,
  thenLends: 'La macchina si unisce e da quel momento lavora senza terminale. Se non è possibile, il comando indica come avviarla.',
  sameLines: 'Le stesse righe sono mostrate da',
  waiting: 'In attesa della macchina. Compare qui quando si è unita.',
  codeExpired: 'Il codice è scaduto.',
  joined: (isConnected: boolean) =>
    isConnected ? ' si è unita ed è connessa.' : ` si è unita. Si connette quando il suo agente è in esecuzione: ${COMMAND} agent`,
  approved: 'È approvata.',
  notApproved: 'Non le viene inviato nulla finché non la approvi.',
  approve: 'Approva…',
}

const secret = {
  copy: 'Copia',
  copied: 'Copiato.',
  selected: 'Selezionato. Copialo con la tastiera.',
  once: 'Non lo vedrai più.',
  qr: (label: string) => `${label} come codice QR`,
}

const connect = {
  title: 'Connetti una macchina con GPU',
  intro: `Per una macchina che accetta connessioni. Chi la possiede crea per te una stringa di connessione nella sua pagina Macchine, o con ${COMMAND} agent keys add.`,
  remoteOff: 'Attiva prima le macchine remote.',
  string: 'Stringa di connessione',
  stringHint: 'Tienila segreta. Appartiene al primo studio che la usa.',
  connect: 'Connetti',
  connecting: (endpoint: string) => `Connessione a ${endpoint}.`,
  connections: 'Connessioni',
  connected: 'Connessa',
  notConnected: 'Non connessa',
  remove: shared.remove,
  removeOne: (endpoint: string) => `Rimuovi la connessione a ${endpoint}`,
  removeTitle: 'Rimuovere questa connessione?',
  removeWarning: 'Lo studio si disconnette e rimuove la macchina. Per usarla di nuovo ti serve una nuova stringa di connessione.',
  removed: 'La connessione è stata rimossa.',
}

const share = {
  title: 'Condividi questa macchina',
  intro: 'Altri studi si connettono a questa macchina e ne usano la GPU. Ogni persona riceve una chiave.',
  on: 'Condivisa',
  off: 'Non condivisa',
  listeningOn: 'In ascolto su ',
  reach: (isExposed: boolean) =>
    isExposed
      ? '. Altre macchine possono raggiungerla, ma solo una chiave dà accesso.'
      : '. Solo i programmi di questa macchina possono raggiungerla.',
  startError: (reason: string) => `Impossibile mettersi in ascolto: ${reason}`,
  address: 'Indirizzo di ascolto',
  addressHint: '127.0.0.1: solo i programmi di questa macchina. 0.0.0.0: ogni macchina che può raggiungere questa.',
  port: 'Porta',
  start: 'Inizia a condividere',
  change: 'Cambia indirizzo',
  stop: 'Smetti di condividere',
  started: 'Questa macchina è condivisa.',
  stopped: 'Questa macchina non è più condivisa.',
  keys: 'Chiavi',
  newKey: 'Nuova chiave…',
  noKeys: 'Ancora nessuna chiave.',
  keyTitle: 'Nuova chiave',
  person: 'Persona',
  personHint: 'Al massimo 64 caratteri.',
  createKey: 'Crea chiave',
  keyFor: 'Solo per ',
  keyForOne: '. La chiave appartiene al primo studio che la usa.',
  string: 'Stringa di connessione',
  localOnly:
    'Per ora possono usarla solo i programmi di questa macchina. Perché altri si connettano, mettiti in ascolto su 0.0.0.0 o su un indirizzo di rete.',
  state: 'Stato',
  lastSeen: 'Ultimo contatto',
  actions: 'Azioni',
  keyStates: { revoked: 'Revocata', connected: 'Connessa', unused: 'Non ancora usata', away: 'Non connessa' },
  revoke: 'Revoca',
  revokeOne: (name: string) => `Revoca la chiave di ${name}`,
  revokeTitle: 'Revocare questa chiave?',
  revokeBefore: 'L’accesso di ',
  revokeAfter: ' termina ora, e le sue attività vengono interrotte. L’azione è irreversibile.',
  revoked: 'La chiave è stata revocata.',
  connected: 'Connessi',
  noSessions: 'Non c’è nessuna connessione.',
  from: (peer: string) => ` da ${peer}, connessione: `,
  tasksRun: (count: number) =>
    plural(count, { one: ', # attività eseguita', many: ', # attività eseguite', other: ', # attività eseguite' }),
  disconnect: 'Disconnetti',
  disconnectOne: (name: string) => `Disconnetti ${name}`,
  disconnected: 'Disconnesso. Lo studio può riconnettersi dopo un minuto. Per escluderlo, revoca la sua chiave.',
  events: (count: number) => `Log delle connessioni (${count})`,
  someone: 'Qualcuno',
  event: (peer: string, what: string, detail: string) => ` da ${peer}: ${what}${detail && ` (${detail})`}`,
  eventKinds: { connected: 'connessione', disconnected: 'disconnessione', kicked: 'disconnessione forzata', rejected: 'accesso rifiutato' },
}

const lend = {
  title: 'Presta con un codice di invito',
  section: 'Presta questa macchina',
  states: {
    none: 'Non unita',
    off: 'Non attivo',
    finishing: 'In chiusura',
    lending: 'In prestito',
    searching: 'Non connessa',
    unknown: 'Sconosciuto',
  },
  none: 'Questa macchina non si è unita a un altro studio.',
  off: (studio: string) => `Si è unita a ${studio} e ora non presta nulla.`,
  finishing: (studio: string, held: number) => `Completa ${tasks(held)} per ${studio} e non ne accetta di nuove.`,
  lending: (studio: string, held: number) => `Lavora per ${studio} e ora esegue ${tasks(held)}.`,
  searching: (studio: string) => `Connessione a ${studio}.`,
  studioAt: (name: string, endpoint: string) => `${name || 'uno studio'} (${endpoint})`,
  lastError: (error: string) => `Ultimo problema: ${error}`,
  pinned: 'È impostato dalla variabile d’ambiente STUDIO_WORKER_MODE. Qui non puoi cambiarlo.',
  start: 'Inizia a prestare',
  stop: 'Smetti di prestare',
  started: 'Questa macchina ora è in prestito.',
  stopped: 'Questa macchina non è più in prestito.',
  join: 'Unisciti e presta',
  joinAnother: 'Unisciti a un altro studio',
  joined: 'Unione riuscita. Questa macchina ora è in prestito.',
  code: 'Codice di invito dell’altro studio',
  codeHint:
    'Si crea nella pagina Macchine di quello studio con Aggiungi macchina. Questa macchina lavora poi su ciò che inviano i suoi utenti.',
}

export const strings = { add, secret, connect, share, lend }
