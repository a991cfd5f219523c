// @ts-check
// The words of the Files page.
import { strings as shared } from '../../lib/strings.js'

export const strings = {
  find: 'Find a file',
  kind: 'Kind',
  all: 'All',
  kinds: { take: 'Take', book: 'Audiobook', dub: 'Dub' },
  columns: { name: 'Name', kind: 'Kind', voice: 'Made with', length: 'Length', size: 'Size', made: 'Made', actions: 'Actions' },
  removed: 'Removed',
  none: 'No files yet. Takes, finished books and dubs appear here.',
  noneFound: 'No file matches.',
  showAll: 'Clear filters',
  newest: 'The newest 50 takes and those with a star are listed.',
  /** @param {number} count */
  found: (count) => shared.plural(count, 'file', 'files'),
  /** @param {number} count */
  more: (count) => `Show ${count} more`,
  /** @param {number} chapters */
  chapters: (chapters) => shared.plural(chapters, 'chapter', 'chapters'),
  /** @param {string} name */
  downloadOf: (name) => `Download ${name}`,
  /** @param {string} name */
  deleteOf: (name) => `Delete ${name}`,
  /** @param {string} name */
  deleteTitle: (name) => `Delete ${name}?`,
  deleteHints: {
    take: "The take and its file are deleted. You can't undo this.",
    book: "The book and its files are deleted. You can't undo this.",
    dub: "The dub is deleted with its film, lines and voice tracks. You can't undo this.",
  },
  deleteYes: 'Delete',
  keep: 'Keep it',
  deleted: 'Deleted.',
}
