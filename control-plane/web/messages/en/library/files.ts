// The words of the Files page.
import { plural } from '../language.ts'

export const strings = {
  find: 'Find a file',
  kind: 'Kind',
  all: 'All',
  kinds: { take: 'Take', book: 'Audiobook', dub: 'Dub', transcript: 'Transcript' },
  columns: { name: 'Name', kind: 'Kind', voice: 'Made with', length: 'Length', size: 'Size', made: 'Made', actions: 'Actions' },
  removed: 'Removed',
  none: 'No files yet. Takes, finished books, dubs and transcripts appear here.',
  noneFound: 'No file matches.',
  showAll: 'Clear filters',
  foundSoFar: (count: number) => plural(count, { one: '# file so far', other: '# files so far' }),
  found: (count: number) => plural(count, { one: '# file', other: '# files' }),
  more: (count: number) => `Show ${count} more`,
  chapters: (chapters: number) => plural(chapters, { one: '# chapter', other: '# chapters' }),
  downloadOf: (name: string) => `Download ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteHints: {
    book: "The book and its files are deleted. You can't undo this.",
    dub: "The dub is deleted with its film, lines and voice tracks. You can't undo this.",
  },
  deleteYes: 'Delete',
  keep: 'Keep it',
  deleted: 'Deleted.',
}
