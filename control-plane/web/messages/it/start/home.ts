// The words of the Home page, in Italian.
import { grouped, plural } from '../language.ts'

export const strings = {
  local: 'Il lavoro si svolge su questa macchina.',
  elsewhere: (name: string) => `Il lavoro si svolge su ${name}.`,
  machine: (name: string, jobs: number) =>
    `${name} è connessa ${jobs === 0 ? 'e libera' : plural(jobs, { one: 'ed esegue # lavoro', many: 'ed esegue # lavori', other: 'ed esegue # lavori' })}.`,
  machines: (count: number) => `${count} macchine sono connesse.`,

  text: 'Testo',
  placeholder: 'Scrivi o incolla un testo…',
  voice: 'Voce',
  defaultVoice: 'Voce predefinita',
  speak: 'Genera',
  speakKeys: 'Ctrl ↵',
  tooLong: (limit: number) => `Un take può avere al massimo ${grouped(limit)} caratteri.`,
  busy: 'Una generazione è ancora in corso. Annullala o attendi che finisca.',
  openFile: 'Apri un file',
  dictate: 'Detta',
  askFile: (name: string) => `${name}: doppiare o trascrivere?`,
  dubIt: 'Doppia',
  transcribeIt: 'Trascrivi',
  keepOut: 'Annulla',
  otherFile: 'La Home apre testi, registrazioni e film. I libri si aprono nella pagina Audiolibro.',
  longText: 'Questo testo è lungo come un libro. Aprilo nella pagina Audiolibro.',
  otherTranscript: 'È in corso l’invio di un’altra registrazione. Attendi che sia arrivata, poi apri di nuovo questa.',
  create: 'Crea',
  tiles: {
    dub: ['Doppia un video', 'In un’altra lingua'],
    audiobook: ['Crea un audiolibro', 'Da EPUB, PDF, Word o testo'],
    transcribe: ['Trascrivi', 'Audio, video o dettatura'],
    voices: ['Clona o descrivi una voce', 'Bastano 10 secondi'],
  },

  continue: 'Continua',
  allProjects: 'Tutti i progetti',
  take: 'Take',
  project: 'Progetto',
  transcript: 'Trascrizione',
  speech: 'Sintesi vocale',
  manuscript: 'Manoscritto',
  dub: (language: string, lines: number) =>
    ['Doppiaggio', language, lines > 0 ? plural(lines, { one: '# battuta', many: '# battute', other: '# battute' }) : '']
      .filter(Boolean)
      .join(' · '),
  book: (chapters: number) =>
    plural(chapters, { one: 'Audiolibro · # capitolo', many: 'Audiolibro · # capitoli', other: 'Audiolibro · # capitoli' }),
  stopped: (done: number, all: number) => `Fermato. Capitoli conservati: ${done} su ${all}.`,
  done: 'Completato',
  draft: 'Bozza',
  spoken: 'Doppiato',

  first: 'Prime parole',
  firstHint: 'Scegli un testo per provare una voce.',
  samples: [
    'Alle cinque il porto era silenzioso. Solo i gabbiani, e una lampada sul molo lontano.',
    'Buonasera. Ecco i titoli delle nove.',
    'Dodici gradini scendono in cantina, e l’ultimo traballa.',
  ],

  running: 'In corso',
  jobs: 'Lavori',
  nothing: 'Nulla in corso.',
  checking: 'Controllo dello studio…',
  ready: 'Pronto',
  suggestions: (count: number) =>
    plural(count, { one: 'Pronto, con # suggerimento', many: 'Pronto, con # suggerimenti', other: 'Pronto, con # suggerimenti' }),
  notReady: 'Qualcosa richiede attenzione',
  needsApproval: (name: string) => `${name} attende la tua approvazione`,
  review: 'Esamina',
  show: 'Mostra',
  dismiss: 'Ignora',
  crashed: 'Il programma si è chiuso in modo anomalo o è stato terminato. La fine del suo log è stata conservata.',
  readError: (what: string) => `Impossibile caricare questo elenco: ${what}`,
}
