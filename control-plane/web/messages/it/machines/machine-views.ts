// The words of the views and dialogs that the Machines page opens, in Italian.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'Esegui su',
  target: 'Esegui il lavoro su',
  automatic: 'Automatico (la più veloce)',
  unavailable: (name: string, why: string) => `${name} (${why})`,
  showFor: 'Mostra l’instradamento per',
  runningOn: (name: string) => `In esecuzione su ${name}`,
  fastest: 'la macchina più veloce',
  thisMachine: 'questa macchina',
  saved: 'Salvato.',
  where: 'Dove va ora il lavoro',
  operations: [
    ['', 'Tutto'],
    ['tts', 'Sintesi vocale'],
    ['audiobook', 'Audiolibri'],
    ['dub', 'Doppiaggio'],
    ['clone', 'Clonazione vocale'],
    ['asr', 'Trascrizione'],
    ['dictation', 'Dettatura'],
    ['diarize', 'Rilevamento parlanti'],
    ['identify', 'Rilevamento lingua'],
    ['translate', 'Traduzione'],
  ] as [string, string][],
}

const security = {
  title: 'Autorità di certificazione',
  intro:
    'Firma i certificati di tutte le macchine, che ne provano l’identità. Confronta la sua impronta con quella che una macchina mostra quando si unisce.',
  fingerprint: 'Impronta',
  next: 'Successiva',
  previous: 'Precedente',
  validUntil: 'Valida fino al',
  phases: { steady: 'In uso', prepared: 'Sostituzione preparata', activated: 'Sostituzione in uso' },
  behind: 'Usano ancora il certificato precedente',
  mustJoinAgain: 'Devono unirsi di nuovo',
  replace: 'Sostituisci l’autorità',
  steps: {
    prepare:
      'Sostituiscila se la sua chiave può essere stata divulgata, o se scade presto. Il passo 1 crea la successiva e la comunica a tutte le macchine.',
    activate: 'Il passo 2 usa la successiva per i nuovi certificati. Codici e certificati precedenti restano validi.',
    retire: 'Il passo 3 pone fine alla precedente. Attende che ogni macchina abbia un nuovo certificato.',
  },
  actions: { prepare: 'Prepara la successiva', activate: 'Usa la successiva', retire: 'Dismetti la precedente…' },
  done: {
    prepare: 'L’autorità successiva è pronta.',
    activate: 'L’autorità successiva è in uso.',
    retire: 'L’autorità precedente è stata dismessa.',
  },
  retireTitle: 'Dismettere l’autorità precedente?',
  retireYes: 'Dismetti',
  retireWarning: 'Certificati e codici dell’autorità precedente smettono di funzionare. L’azione è irreversibile.',
}

const dialogs = {
  approveTitle: 'Approvare questa macchina?',
  approveBefore: 'Se approvi ',
  approveAfter: ', lo studio le invia ciò che serve alle sue attività:',
  sent: [
    ['testi', ' da leggere o tradurre,'],
    ['audio', ' da trascrivere o elaborare,'],
    ['voci', ' in uso: campioni e descrizioni.'],
  ],
  destinationBefore: 'I dati vanno a ',
  destinationKey: ', alla macchina con la chiave ',
  destinationAfter: '. La connessione è cifrata.',
  unknownAddress: 'un indirizzo che si conoscerà alla connessione',
  approveWarning: 'Chi possiede quella macchina può leggerli, ascoltarli e conservarli.',
  approveAdvice: ' Approva una macchina solo se affideresti i tuoi dati a chi la possiede.',
  approveNote:
    'Puoi ritirare l’approvazione in qualsiasi momento. Le attività vengono allora interrotte e i dati eliminati da lì, ma restano le copie che chi possiede la macchina ha fatto prima.',
  notNow: 'Non ora',
  approve: 'Approva',
  useQuestion: 'Come verrà usata?',
  uses: { automatic: 'In automatico', chosen: 'Solo se scelta' },
  useHints: {
    automatic: 'Il lavoro si svolge sulla macchina che lo finisce per prima: questa, o una che hai approvato.',
    chosen: 'Per ora non cambia nulla. Sceglila in “Esegui il lavoro su” quando vuoi usarla.',
  },
  endsAutomatic: 'Il lavoro si svolge poi su questa macchina finché non ne scegli un’altra in “Esegui il lavoro su”.',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic' ? `${name} è approvata e riceve lavoro in automatico.` : `${name} è approvata. Sceglila quando vuoi usarla.`,

  changeTitle: 'Rinomina o imposta priorità',
  name: 'Nome',
  nameHint: 'Al massimo 120 caratteri. Se è vuoto, viene mostrata la chiave.',
  priority: 'Priorità, da 0 a 100',
  priorityHint:
    'Se due macchine finirebbero nello stesso momento, il lavoro va a quella con priorità più alta. Il valore predefinito è 50.',
  saved: 'Salvato.',

  withdrawTitle: 'Ritirare l’approvazione?',
  withdraw: 'Ritira',
  withdrawBefore: 'Lo studio smette di inviare dati a ',
  withdrawAfter: '. Le sue attività vengono interrotte, i loro dati eliminati da lì, e sono eseguite altrove.',
  withdrawn: 'L’approvazione è stata ritirata.',

  releaseTitle: 'Sbloccare questa macchina?',
  release: 'Sblocca',
  quarantined: ' è in quarantena:',
  alreadyReleased: 'È già sbloccata.',
  releaseWarning: 'Sbloccala solo se hai la certezza che la sua chiave sia su una sola macchina. Viene accettata la prossima che la usa.',
  released: 'La macchina è sbloccata.',

  removeTitle: 'Rimuovere questa macchina?',
  remove: shared.remove,
  removeBefore: 'La chiave di ',
  removeAfter: ' viene revocata e la macchina disconnessa. Le sue attività sono eseguite altrove.',
  removeWarning: 'Non può tornare con questa chiave. Per usarla di nuovo, aggiungila con un nuovo codice.',
  removed: 'La macchina è stata rimossa.',

  logTitle: 'Log di questa macchina',
  logNote: ': le righe più recenti, in ordine di tempo. Segreti e testi delle attività sono omessi.',
  logLines: 'Righe del log',
  logEmpty: 'Il log è vuoto.',
  refresh: 'Aggiorna',

  goneTitle: 'Questa macchina non c’è più',
  gone: 'È stata rimossa, o le macchine remote sono state disattivate.',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'Non noto',
  readsNot: 'Niente, secondo il gestore',
  keepsNothing: 'Niente dopo un lavoro, secondo il gestore',
  operator: 'Gestore',
  location: 'Luogo',
  canDo: 'Può fare',
  canRead: 'Può leggere',
  keeps: 'Conserva',
  reads: 'Testi, campioni e audio che invii',
  declared: 'Lo dichiara il gestore. Lo studio non può verificarlo.',
  share: 'La tua quota',
  atOnce: 'Nello stesso momento',
  wait: 'Attesa abituale',
  slots: 'Posti',
  you: (count: number) => `Tu ${grouped(count)}`,
  others: (count: number) => `Altri ${grouped(count)}`,
  free: (count: number) => `Liberi ${grouped(count)}`,
  studios: (count: number) => `Studi al lavoro: ${grouped(count)}`,
  older: (count: number) => `Versioni precedenti: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
