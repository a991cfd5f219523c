// The words that several pages share.

/** What engines are called, from the page of the studio. */
const engines: Readonly<Record<string, string>> = JSON.parse(
  globalThis.document?.querySelector('meta[name="studio-engines"]')?.getAttribute('content') ?? '{}',
)
/** How users call the command line: COMMAND of #shared/protocol/version.ts, which a browser cannot load. */
export const COMMAND = './studio'

/** An engine that an owner added is called by its id. */
export const engineName = (id: string) => (Object.hasOwn(engines, id) ? (engines[id] ?? id) : id)

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
/** A machine may report any text. */
export const systemName = (os: string) => (Object.hasOwn(systems, os) ? (systems[os] ?? os) : os)

/** The engine that is built in, and speaks with an embedded voice while its model is not installed. */
const OWN_ENGINE = 'svc-engine'
/** The voices of Flite, the embedded voice of earlier versions and of machines without the neural runtime. */
const FLITE = ['slt', 'rms', 'awb', 'kal', 'kal16']

/** What spoke a take; '' if it was not recorded. Other substitutes are recorded as the engine. */
export const spokenBy = ({ engine, routing, voice }: { engine: string; routing: string; voice: string }) =>
  routing === 'stand_in' && engine === OWN_ENGINE ? engineName(FLITE.includes(voice) ? 'flite' : 'heart') : engineName(engine)

/**
 * 10,000. Not with Intl: its first use takes 30 ms of processor time, more than all else of a first view. `count`: whole, not negative
 */
export const grouped = (count: number): string =>
  count < 1000 ? String(count) : `${grouped(Math.floor(count / 1000))},${String(count % 1000).padStart(3, '0')}`

const plural = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`

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
  playOf: (name: string) => `Play ${name}`,
  pauseOf: (name: string) => `Pause ${name}`,
  positionOf: (name: string) => `Position in ${name}`,

  unreachable: "Couldn't reach the studio.",
  unreachableHint: 'Check that it is still running.',
  httpStatus: (status: number) => `The studio answered with status ${status}.`,

  never: 'never',
  now: 'now',
  secondsAgo: (seconds: number) => `${seconds} s ago`,
  minutesAgo: (minutes: number) => `${minutes} min ago`,
  hoursAgo: (hours: number) => `${hours} h ago`,
  seconds: (figure: string) => `${figure} s`,
  minutes: (minutes: number) => `${minutes} min`,
  minutesAndSeconds: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  byteUnits: ['B', 'KB', 'MB', 'GB', 'TB'],

  tryAgain: 'Try again',
  wholeText: 'Full text',
  allCharacters: (length: number) => ` (all ${plural(length, 'character', 'characters')})`,
  thisMachine: 'This machine',
  plural,
}
