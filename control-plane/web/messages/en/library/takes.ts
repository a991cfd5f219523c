// The words about takes that Speak, Files, Settings and the palette share.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'Find in takes',
  from: 'Takes that are shown',
  all: 'All',
  starred: 'Starred',
  noneFound: 'No take matches.',
  showAll: 'Clear filters',
  more: 'Show more',
  deleteAll: 'Delete all',
  deleteAllHint: 'Delete all takes without a star',
  deleted: (name: string) => `Deleted: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# take deleted.', other: '# takes deleted.' }),
  tooLate: 'These takes are gone. A deleted take can come back for a minute.',
  downloadAs: 'Download as…',
  downloadOf: (name: string) => `Download: ${name}`,
  formats: {
    mp3: ['MP3', 'Plays everywhere'],
    wav: ['WAV', 'As it was spoken'],
    m4a: ['M4A', 'For phones and tablets'],
    flac: ['FLAC', 'Lossless, half the size'],
    opus: ['Opus', 'Smallest'],
  },
  needsTools: 'Needs the media tools. Open Setup',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `${grouped(cap)} are kept. ${plural(count, { one: 'The next take removes the oldest one.', other: 'The next take removes the oldest #.' })}`,
  keeps: (cap: number) => `The newest ${grouped(cap)} are kept.`,
  keepsAll: 'All are kept.',
  change: 'Change',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: '# take now', other: '# takes now' })}${starred > 0 ? `, ${grouped(starred)} with a star` : ''}.`,
  compareTakes: 'Compare two takes',
  compareOf: (name: string) => `Compare: ${name}`,
  compareWith: 'Choose a second take to compare it with.',
  compareEnd: 'End the comparison',
}
