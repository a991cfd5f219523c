// The words of the Machines page, in Italian: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# attività', many: '# attività', other: '# attività' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'Ancora nessun’altra macchina'
  if (all === 1) return online === 1 ? '1 macchina, online' : '1 macchina, offline'
  if (online === 0) return `Tutte le ${grouped(all)} macchine sono offline`
  return online === all ? `Tutte le ${grouped(all)} macchine sono online` : `${grouped(online)} macchine online su ${grouped(all)}`
}

const page = {
  machines: 'Macchine',
  views: 'Viste',
  tabs: { '': 'Prese in prestito', shared: 'Condivisa da me', routing: 'Instradamento', security: 'Sicurezza' },
  remote: (isOn: boolean) => `Macchine remote: ${isOn ? 'attive' : 'non attive'}`,
  turnOn: 'Attiva le macchine remote',
  turnOff: 'Disattiva…',
  turnOffTitle: 'Disattivare le macchine remote?',
  turnOffYes: 'Disattiva',
  turnOffWarning:
    'Tutte le macchine vengono disconnesse e la porta viene chiusa. Le loro attività vengono interrotte. Le macchine restano registrate e tornano quando riattivi questa opzione.',
  turnedOn: 'Le macchine remote sono attive.',
  turnedOff: 'Le macchine remote sono disattivate.',
  offNote: 'Finché è disattivato, tutto il lavoro resta su questa macchina e nessun’altra può unirsi.',
  startError: (reason: string) => `Impossibile attivare le macchine remote: ${reason}`,
  joinAt: 'Le macchine si uniscono a ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)} in corso`, waiting > 0 && `${tasks(waiting)} in attesa`]
      .filter(Boolean)
      .join(' · '),
  add: 'Aggiungi macchina…',
  connect: 'Connetti con una stringa…',
  routingNote: '“Esegui su: Automatico” sceglie la macchina che finirebbe per prima. ',
  routingLink: 'Vedi dove si svolge ogni tipo di lavoro',
}

const list = {
  find: 'Cerca una macchina',
  findExample: 'Nome, dispositivo, indirizzo',
  state: 'Stato',
  all: (count: number) => `Tutte (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all
      ? plural(all, { one: '# macchina', many: '# macchine', other: '# macchine' })
      : `${grouped(found)} macchine su ${grouped(all)}`,
  showAll: 'Mostra tutte',
  empty: 'Per ora solo questa macchina. Aggiungine una con GPU per una sintesi più veloce.',
  noneFound: 'Nessuna macchina corrisponde.',
}

const states = {
  ready: 'Pronta',
  busy: 'Occupata',
  draining: 'In svuotamento',
  paused: 'In pausa',
  unapproved: 'Da approvare',
  off: 'Disattivata',
  offline: 'Offline',
  unresponsive: 'Non risponde',
  quarantined: 'In quarantena',
}

const table = {
  pool: (count: number) => plural(count, { one: 'Gruppo di # macchina', many: 'Gruppo di # macchine', other: 'Gruppo di # macchine' }),
  columns: {
    machine: 'Macchina',
    state: 'Stato',
    use: 'Impiego',
    memory: 'Memoria GPU',
    loaded: 'Caricati',
    latency: 'Latenza',
    actions: 'Azione',
  },
  none: '—',
  working: (count: number) => `Esegue ${tasks(count)}`,
  memoryUse: (used: string, all: string) => `${used} di ${all}`,
  memoryOf: (use: string) => `Memoria GPU: ${use}`,
  noGpu: 'Nessuna GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Preferita', automatic: 'Automatico', low: 'Bassa priorità', never: 'Mai' },
  other: (priority: string) => `Priorità ${priority}`,
  label: (name: string) => `Impiego: ${name}`,
  notYet: 'Ancora nessun invio',
  saved: (name: string) => `Salvato per ${name}.`,
}

const card = {
  states,
  back: 'Tutte le macchine',
  facts: 'Dettagli',
  address: 'Indirizzo',
  key: 'Chiave',
  reasonsLabel: 'Perché non riceve lavoro',
  device: 'Dispositivo',
  memory: 'Memoria',
  system: 'Sistema',
  version: 'Versione di Voice Studio',
  outdated: (version: string) => `${version}, precedente a questo studio. Aggiornala su quella macchina.`,
  models: 'Modelli caricati',
  none: 'Nessuno',
  runsNow: 'In corso',
  idle: 'Libera',
  latency: 'Latenza',
  ms: (ms: number) => `${ms}\u00a0ms`,
  lastSeen: 'Ultimo contatto',
  now: 'Ora',
  priority: 'Priorità',
  priorityOf: (priority: number) => (priority === 50 ? 'Normale' : `${priority > 50 ? 'Alta' : 'Bassa'} (${priority})`),
  unknown: 'Sconosciuto',
  cpuOnly: (count: number) =>
    plural(count, { one: 'CPU, # core, nessuna GPU', many: 'CPU, # core, nessuna GPU', other: 'CPU, # core, nessuna GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (presente ma non utilizzabile: ${reason})`,
  gpuMemory: (free: string, all: string) => `${free} di memoria GPU liberi su ${all}`,
  systemMemory: (size: string) => `${size} di memoria`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} con ${engine}, ${stage}`,
  stages: { assigned: 'proposta', accepted: 'accettata', model_loading: 'caricamento del modello', result_uploading: 'consegna' },

  resume: 'Riprendi',
  approve: 'Approva',
  release: 'Sblocca',
  log: 'Log',
  takeWork: 'Ferma svuotamento',
  turnOn: 'Attiva',
  turnOff: 'Disattiva',
  menu: 'Altre azioni',
  rename: 'Rinomina o imposta priorità',
  drain: 'Svuota',
  drainHint: 'Svuota: completa le sue attività e non ne accetta di nuove.',
  withdraw: 'Ritira approvazione',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: ${name}`,
  resumed: (name: string) => `${name} riceve di nuovo lavoro.`,
  notResumed: (name: string, why: string) => `${name} non riceve ancora lavoro. ${why}`,
  draining: (name: string) => `${name} completa le sue attività e non ne accetta di nuove.`,
  turnedOn: (name: string) => `${name} è attiva.`,
  turnedOff: (name: string) => `${name} è disattivata.`,
}

const reasons = {
  quarantined: (why: string) => `In quarantena: ${why}. Non le viene inviato nulla finché non la sblocchi.`,
  unapproved: 'Non le viene inviato nulla finché non la approvi.',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'Ora è un gruppo di macchine.',
    machine: 'Non è più un gruppo di macchine.',
    operator: (name: string) => `Ora lo gestisce ${name}.`,
    places: (names: string) => `Le sue macchine ora sono in: ${names}.`,
    reads: 'Chi lo gestisce ora può leggere ciò che viene inviato.',
    readsNot: 'Chi lo gestisce dichiara di non leggere più ciò che viene inviato.',
  },
  off: 'L’hai disattivata. Il suo lavoro va ad altre macchine.',
  notReached: (why: string) => `Non connessa. ${why || 'Lo studio continua a provare a connettersi.'}`,
  neverConnected: (name: string) => `${name} non si è ancora mai connessa. Chi la possiede vi avvia Voice Studio.`,
  offline: (name: string) => `${name} è spenta o non connessa. Chi la possiede vi avvia Voice Studio.`,
  unresponsive: 'È connessa ma non risponde. Controlla il suo log.',
  drained: (count: number) =>
    count > 0 ? `In svuotamento: completa ${tasks(count)} e non ne riceve di nuove.` : 'Svuotata: non riceve nuove attività.',
  ending: (count: number) =>
    `Chi la possiede la sta chiudendo: ${count > 0 ? `completa ${tasks(count)} e non ne accetta di nuove` : 'non accetta nuove attività'}.`,
  breaker: (model: string, summary: string) => `${model}: ${summary}.`,
  lastConnected: (ago: string) => `Ultima connessione: ${ago}.`,
  nextTry: (time: string) => `Prossimo tentativo tra ${time}.`,
  nextTrySoon: 'Prossimo tentativo tra un attimo.',
  allSlots: 'Tutti i posti sono occupati.',
  waits: (count: number, why: string) =>
    `${plural(count, { one: '# attività non può essere eseguita lì', many: '# attività non possono essere eseguite lì', other: '# attività non possono essere eseguite lì' })}: ${why}.`,
}

const work: Readonly<Record<string, string>> = {
  tts: 'Sintesi vocale',
  asr: 'Trascrizione',
  clean: 'Rimozione del rumore',
  translate: 'Traduzione',
  separate: 'Separazione delle voci',
}

export const strings = { page, list, table, use, card, reasons }
