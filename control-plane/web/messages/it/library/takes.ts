// The words about takes that Speak, Files, Settings and the palette share, in Italian.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'Cerca tra i take',
  from: 'Take mostrati',
  all: 'Tutti',
  starred: 'Con stella',
  noneFound: 'Nessun take corrisponde.',
  showAll: 'Azzera filtri',
  more: 'Mostra altri',
  deleteAll: 'Elimina tutti',
  deleteAllHint: 'Elimina tutti i take senza stella',
  deleted: (name: string) => `Eliminato: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# take eliminato.', many: '# take eliminati.', other: '# take eliminati.' }),
  tooLate: 'Questi take non ci sono più. Un take eliminato si può recuperare per un minuto.',
  downloadAs: 'Scarica come…',
  downloadOf: (name: string) => `Scarica: ${name}`,
  formats: {
    mp3: ['MP3', 'Si riproduce ovunque'],
    wav: ['WAV', 'Così come generato'],
    m4a: ['M4A', 'Per telefoni e tablet'],
    flac: ['FLAC', 'Senza perdite, metà spazio'],
    opus: ['Opus', 'Il più piccolo'],
  },
  needsTools: 'Servono gli strumenti multimediali. Apri Configurazione',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `Se ne conservano ${grouped(cap)}. ${plural(count, { one: 'Il prossimo take elimina il più vecchio.', many: 'Il prossimo take elimina i # più vecchi.', other: 'Il prossimo take elimina i # più vecchi.' })}`,
  keeps: (cap: number) => `Si conservano i ${grouped(cap)} più recenti.`,
  keepsAll: 'Si conservano tutti.',
  change: 'Cambia',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: '# take al momento', many: '# take al momento', other: '# take al momento' })}${starred > 0 ? `, ${grouped(starred)} con stella` : ''}.`,
  compareTakes: 'Confronta due take',
  compareOf: (name: string) => `Confronta: ${name}`,
  compareWith: 'Scegli un secondo take per il confronto.',
  compareEnd: 'Termina il confronto',
}
