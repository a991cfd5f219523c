// The words of the Health page, in Italian.
import { isolated } from '#control-plane/web/lib/format.ts'
import { grouped, plural } from '../language.ts'

export const strings = {
  allWell: 'Va tutto bene.',
  reading: 'Lettura dei dati…',
  quarantined: (name: string) => `${isolated(name)} è in quarantena: due macchine hanno usato la sua chiave.`,
  unresponsive: (name: string) => `${isolated(name)} è connessa ma non risponde.`,
  paused: (name: string) => `${isolated(name)} è in pausa dopo alcuni errori.`,
  expires: (days: number) =>
    plural(days, {
      one: 'I certificati delle macchine scadono tra # giorno.',
      many: 'I certificati delle macchine scadono tra # giorni.',
      other: 'I certificati delle macchine scadono tra # giorni.',
    }),
  more: (count: number) =>
    plural(count, { one: 'E un’altra segnalazione.', many: 'E altre # segnalazioni.', other: 'E altre # segnalazioni.' }),
  doctor: 'Esegui la diagnosi',
  sinceStart: 'dall’avvio',
  now: 'ora',
  none: '—',
  firstSound: 'Primo suono',
  within: (time: string) => `95% entro ${time}`,
  noSound: 'Ancora nessun suono',
  made: 'Completato',
  tasks: (count: number) => plural(count, { one: '# attività', many: '# attività', other: '# attività' }),
  share: (share: string) => `${share} del totale`,
  gpuMemory: 'Memoria GPU',
  memory: 'Memoria',
  of: (used: string, all: string) => `${used} di ${all}`,
  models: (count: number) => plural(count, { one: '# modello caricato', many: '# modelli caricati', other: '# modelli caricati' }),
  processor: (share: string) => `Uso del processore: ${share}`,
  running: 'In corso',
  waiting: (count: number) => `${grouped(count)} in attesa`,
  machines: 'Macchine',
  aPiece: 'mediana per attività',
  disk: 'Disco',
  free: (free: string, all: string) => `${free} liberi su ${all}`,
  certificates: 'Certificati',
  renew: 'Si rinnovano da soli',
  days: (days: number) => plural(days, { one: '# giorno', many: '# giorni', other: '# giorni' }),
  backups: 'Backup',
  noBackup: 'Ancora nessuno; ne viene fatto uno prima di ogni aggiornamento',
  backedUp: (when: string, size: string) => `${when}, ${size}`,
  checks: 'Diagnosi',
  passed: (passed: number, all: number) => `Controlli superati: ${passed} su ${all}`,
}
