// The words of People and keys, in Italian.
import { plural } from '../language.ts'

export const strings = {
  invite: 'Invita una persona',
  createKey: 'Crea chiave',
  tabs: { all: 'Tutto', person: 'Persone', program: 'Programmi', ended: 'Terminati' },
  columns: { name: 'Nome', used: 'Uso di questo mese', may: 'Può', last: 'Ultimo uso', ends: 'Termina' },
  you: 'Tu',
  owner: 'Possiede lo studio',
  kinds: { person: 'Persona', program: 'Programma' },
  keyCount: (count: number) => plural(count, { one: '# chiave', many: '# di chiavi', other: '# chiavi' }),
  none: 'Nessun elemento.',
  usageFile: 'Uso in CSV',

  hours: (count: string) => `${count}\u00a0h`,
  ofLimit: (used: string, limit: string) => `${used} di ${limit}`,
  unlimited: (used: string) => `${used}, senza limite`,
  nothing: '—',
  never: 'Mai',

  for: 'Per',
  roleHints: {
    listen: 'Riprodurre e scaricare ciò che è nella libreria',
    create: 'Parlare, trascrivere, doppiare. Vede il proprio lavoro, senza impostazioni',
    operate: 'Tutto tranne le chiavi: macchine, modelli, impostazioni',
    own: 'Tutto, anche le chiavi e il lavoro di ogni persona',
  },
  on: 'Su',
  sound: 'Audio al giorno',
  gpu: 'Tempo GPU al mese',
  tasks: 'Attività insieme',
  disk: 'Disco',
  noLimit: 'Senza limite',
  inDays: (days: number) => plural(days, { one: 'Tra # giorno', many: 'Tra # di giorni', other: 'Tra # giorni' }),
  once: 'Vedrai la chiave una sola volta.',
  onlyHere: 'Questo indirizzo funziona solo su questa macchina.',
  invitation: (address: string, key: string) => `Apri ${address} e accedi con questa chiave:\n${key}`,

  keys: 'Chiavi',
  firstKey: 'Chiave',
  created: 'Creazione',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'Sostituisci',
  oldEnds: 'La vecchia chiave termina',
  /** By seconds. */
  oldEndings: { 0: 'Subito', 86400: 'Tra 24 ore', 604800: 'Tra 7 giorni' },
  endKeyYes: 'Termina chiave',
  taskCount: (count: number) => plural(count, { one: '# attività', many: '# di attività', other: '# attività' }),
  ofSound: (time: string) => `${time} di audio`,
  ofGpu: (time: string) => `${time} su una GPU`,
  endText: 'Le sessioni terminano subito. Ciò che è stato creato resta.',
  endYes: 'Termina accesso',
}
