// The words about takes that Speak, Files, Settings and the palette share, in German.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'In Takes suchen',
  from: 'Angezeigte Takes',
  all: 'Alle',
  starred: 'Mit Stern',
  noneFound: 'Kein passender Take.',
  showAll: 'Filter zurücksetzen',
  more: 'Mehr anzeigen',
  deleteAll: 'Alle löschen',
  deleteAllHint: 'Alle Takes ohne Stern löschen',
  deleted: (name: string) => `Gelöscht: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# Take gelöscht.', other: '# Takes gelöscht.' }),
  tooLate: 'Diese Takes sind weg. Gelöschte Takes lassen sich nur eine Minute lang zurückholen.',
  downloadAs: 'Herunterladen als…',
  downloadOf: (name: string) => `Herunterladen: ${name}`,
  formats: {
    mp3: ['MP3', 'Läuft überall'],
    wav: ['WAV', 'Wie gesprochen'],
    m4a: ['M4A', 'Für Smartphones und Tablets'],
    flac: ['FLAC', 'Verlustfrei, halb so groß'],
    opus: ['Opus', 'Am kleinsten'],
  },
  needsTools: 'Braucht die Medienwerkzeuge. Einrichtung öffnen',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `${grouped(cap)} werden aufbewahrt. ${plural(count, { one: 'Der nächste Take ersetzt den ältesten.', other: 'Der nächste Take entfernt die ältesten #.' })}`,
  keeps: (cap: number) => `Die neuesten ${grouped(cap)} werden aufbewahrt.`,
  keepsAll: 'Alle werden aufbewahrt.',
  change: 'Ändern',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: 'Zurzeit # Take', other: 'Zurzeit # Takes' })}${starred > 0 ? `, ${grouped(starred)} mit Stern` : ''}.`,
  compareTakes: 'Zwei Takes vergleichen',
  compareOf: (name: string) => `Vergleichen: ${name}`,
  compareWith: 'Wählen Sie einen zweiten Take zum Vergleichen.',
  compareEnd: 'Vergleich beenden',
}
