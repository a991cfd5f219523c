// @ts-check
// The words of the palette and of the list of keys.
import { strings as shared } from '../lib/strings.js'

export const strings = {
  palette: 'Search and commands',
  escape: 'Esc',
  results: 'Results',
  searching: 'Searching…',
  nothingFound: 'Nothing found.',
  /** @param {number} count */
  found: (count) => shared.plural(count, 'result', 'results'),
  groups: {
    running: 'Running now',
    pages: 'Pages',
    actions: 'Actions',
    machines: 'Machines',
    projects: 'Projects',
    voices: 'Voices',
    jobs: 'Jobs',
  },
  objects: { project: 'Project', dub: 'Dub', voice: 'Voice', machine: 'Machine' },
  newTabKey: 'Ctrl ↵',
  hints: { move: 'move', open: 'open', newTab: 'open in a new tab', commands: 'commands only' },
  actions: {
    newVoice: 'Clone a voice from a recording',
    designVoice: 'Design a voice from words',
    dictate: 'Dictate',
    manage: 'Manage machines',
    check: 'Check this installation',
    light: 'Switch to light theme',
    dark: 'Switch to dark theme',
    system: 'Use the theme of the system',
    rail: 'Collapse or expand the page list',
    keys: 'Show all keys',
    signOut: 'Sign out',
  },
  /** @param {string} text */
  speakText: (text) => `Speak “${text}”`,
  appearance: 'Appearance',
  help: 'Help',

  keys: 'Keys',
  goTo: 'Go to',
  lettersOn: 'Use keys of a single letter outside of text fields',
  /** @type {Readonly<Record<string, readonly (readonly [key: string, does: string])[]>>} */
  keyLists: {
    Everywhere: [
      ['Ctrl K', 'Search or run a command'],
      ['Ctrl B', 'Collapse or expand the page list'],
      ['/', 'Filter of the page'],
      ['?', 'This list'],
      ['Esc', 'Close'],
    ],
    Sound: [
      ['Space', 'Play or pause'],
      ['Shift ←', '5 s back'],
      ['Shift →', '5 s forward'],
    ],
    Speak: [['Ctrl ↵', 'Speak the text']],
    Dub: [
      ['Ctrl Z', 'Undo'],
      ['Ctrl Y', 'Redo'],
      ['s', 'Split the line'],
      ['m', 'Join the line with the next one'],
      ['+', 'Insert a line'],
      ['1 – 9', 'Speaker of the line'],
      ['[  ]', 'Start and end at the position of the film'],
      ['Alt ↑ ↓', 'Move the line'],
      ['j  k  l', 'Film: 2 s back, pause, play and faster'],
      ['Ctrl ↵', 'Speak the line and what has changed'],
    ],
  },
}
