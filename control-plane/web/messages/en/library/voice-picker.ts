// The words of the list from which a voice is chosen.
import { plural } from '../language.ts'

export const strings = {
  find: 'Find a voice',
  results: 'Voices',
  byDefault: 'Default',
  language: 'Language',
  allLanguages: 'All languages',
  showAll: 'Show all',
  showAllOf: (group: string) => `Show all of ${group}`,
  nothing: 'No voice is called that.',
  nothingHere: 'No voice speaks this language.',
  found: (count: number) => plural(count, { one: '# voice', other: '# voices' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'Good evening. The lamp in the tower is on, and the last ship is home.',
  newVoice: 'New voice…',
  keys: { play: 'plays', choose: 'chooses' },
  spaceKey: 'Space',
  keyHelp: 'Arrow keys move, Space plays a sample, Enter chooses, Escape closes.',
  playing: (name: string) => `A sample of ${name} is playing.`,
}
