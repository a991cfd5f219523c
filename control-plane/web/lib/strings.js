// @ts-check
// The words that several pages share.

/** What engines are called, from the page of the studio. @type {Readonly<Record<string, string>>} */
const engines = JSON.parse(globalThis.document?.querySelector('meta[name="studio-engines"]')?.getAttribute('content') ?? '{}')
/** How users call the command line: COMMAND of #shared/protocol/version.ts, which a browser cannot load. */
export const COMMAND = './studio'

/** An engine that an owner added is called by its id. @param {string} id */
export const engineName = (id) => (Object.hasOwn(engines, id) ? (engines[id] ?? id) : id)

/** @type {Readonly<Record<string, string>>} */
const systems = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
/** A machine may report any text. @param {string} os */
export const systemName = (os) => (Object.hasOwn(systems, os) ? (systems[os] ?? os) : os)

/** The engine that is built in, and speaks with an embedded voice while its model is not installed. */
const OWN_ENGINE = 'svc-engine'
/** The voices of Flite, the embedded voice of earlier versions and of machines without the neural runtime. */
const FLITE = ['slt', 'rms', 'awb', 'kal', 'kal16']

/** What spoke a take; '' if it was not recorded. Other substitutes are recorded as the engine. @param {{ engine: string, routing: string, voice: string }} take */
export const spokenBy = ({ engine, routing, voice }) =>
  routing === 'stand_in' && engine === OWN_ENGINE ? engineName(FLITE.includes(voice) ? 'flite' : 'heart') : engineName(engine)

/**
 * 10,000. Not with Intl: its first use takes 30 ms of processor time, more than all else of a first view.
 * @param {number} count whole, not negative
 * @returns {string}
 */
export const grouped = (count) =>
  count < 1000 ? String(count) : `${grouped(Math.floor(count / 1000))},${String(count % 1000).padStart(3, '0')}`

/** @param {number} count @param {string} one @param {string} many */
const plural = (count, one, many) => `${grouped(count)} ${count === 1 ? one : many}`

export const strings = {
  appName: 'Voice Studio',
  loading: 'Loading…',
  pageFailed: "This page can't be shown.",
  pageFailedHint: 'An error occurred while it was drawn. What you made is kept. Reload the page, or go to another one.',
  reload: 'Reload',
  goHome: 'Go to Home',
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  play: 'Play',
  pause: 'Pause',
  remove: 'Remove',
  save: 'Save',
  download: 'Download',
  undo: 'Undo',
  textReplaced: 'Your text in Speak was replaced.',
  copyRefused: "The browser doesn't allow copying. Select the text and copy it.",

  cannotPlay: "This browser can't play this sound.",
  /** @param {string} name */
  playOf: (name) => `Play ${name}`,
  /** @param {string} name */
  pauseOf: (name) => `Pause ${name}`,
  /** @param {string} name */
  positionOf: (name) => `Position in ${name}`,

  unreachable: "Couldn't reach the studio.",
  unreachableHint: 'Check that it is still running.',
  /** @param {number} status */
  httpStatus: (status) => `The studio answered with status ${status}.`,

  never: 'never',
  now: 'now',
  /** @param {number} seconds */
  secondsAgo: (seconds) => `${seconds} s ago`,
  /** @param {number} minutes */
  minutesAgo: (minutes) => `${minutes} min ago`,
  /** @param {number} hours */
  hoursAgo: (hours) => `${hours} h ago`,
  /** @param {string} figure */
  seconds: (figure) => `${figure} s`,
  /** @param {number} minutes */
  minutes: (minutes) => `${minutes} min`,
  /** @param {number} minutes @param {number} seconds */
  minutesAndSeconds: (minutes, seconds) => `${minutes} min ${seconds} s`,
  /** @param {number} hours @param {number} minutes */
  hoursAndMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
  byteUnits: ['B', 'KB', 'MB', 'GB', 'TB'],

  tryAgain: 'Try again',
  wholeText: 'Full text',
  /** @param {number} length */
  allCharacters: (length) => ` (all ${plural(length, 'character', 'characters')})`,
  thisMachine: 'This machine',
  plural,
}
