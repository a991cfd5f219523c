// @ts-check
// The words of the Projects page.
import { strings as shared } from '../../lib/strings.js'

export const strings = {
  find: 'Find a project',
  kind: 'Kind',
  all: 'All',
  kinds: { project: 'Project', dub: 'Dub', audiobook: 'Audiobook', story: 'Story' },
  /** @param {string} kind @param {string} language */
  kindIn: (kind, language) => (language ? `${kind} · ${language}` : kind),
  columns: { name: 'Name', kind: 'Kind', state: 'State', length: 'Length', changed: 'Changed', actions: 'Actions' },
  /** @param {number} lines */
  linesToDo: (lines) => `${shared.plural(lines, 'line', 'lines')}, not spoken`,
  /** @param {number} lines */
  linesSpoken: (lines) => `Spoken, ${shared.plural(lines, 'line', 'lines')}`,
  /** @param {number} done @param {number} all */
  stopped: (done, all) => `Stopped at chapter ${Math.min(done + 1, all)} of ${all}`,
  draft: 'Draft',
  none: 'No projects yet. Dubs, books and what you save appear here.',
  noneFound: 'No project matches.',
  showAll: 'Clear filters',
  /** @param {number} count */
  found: (count) => shared.plural(count, 'project', 'projects'),
  /** @param {number} count */
  more: (count) => `Show ${count} more`,
  rename: 'Rename',
  duplicate: 'Duplicate',
  delete: 'Delete…',
  /** @param {string} name */
  actionsOf: (name) => `Actions for ${name}`,
  name: 'Name',
  renameTitle: 'Rename project',
  /** @param {string} name */
  copyOf: (name) => `${name} (copy)`,
  duplicated: 'The project was duplicated.',
  /** @param {string} name */
  deleteTitle: (name) => `Delete ${name}?`,
  deleteProject: "The project is deleted. Files that were made from it stay. You can't undo this.",
  deleteDub: "Its film, lines, takes and voice tracks are deleted, and its work is cancelled. You can't undo this.",
  deleteYes: 'Delete',
  keep: 'Keep it',
  deleted: 'Deleted.',
}
