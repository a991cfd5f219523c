// The words of the list from which a voice is chosen, in German.
import { plural } from '../language.ts'

export const strings = {
  find: 'Stimme suchen',
  results: 'Stimmen',
  byDefault: 'Standard',
  language: 'Sprache',
  allLanguages: 'Alle Sprachen',
  showAll: 'Alle anzeigen',
  showAllOf: (group: string) => `Alle anzeigen: ${group}`,
  nothing: 'Keine Stimme heißt so.',
  nothingHere: 'Keine Stimme spricht diese Sprache.',
  found: (count: number) => plural(count, { one: '# Stimme', other: '# Stimmen' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'Guten Abend. Die Lampe im Turm brennt, und das letzte Schiff ist daheim.',
  newVoice: 'Neue Stimme…',
  keys: { play: 'spielt ab', choose: 'wählt aus' },
  spaceKey: 'Leertaste',
  keyHelp: 'Pfeiltasten bewegen, die Leertaste spielt eine Stimmprobe ab, die Eingabetaste wählt aus, Esc schließt.',
  playing: (name: string) => `Eine Stimmprobe von ${name} läuft.`,
}
