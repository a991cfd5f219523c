// The texts that several pages share.
import { plural } from './language.ts'

export const strings = {
  appName: 'Voice Studio',
  loading: 'Loading…',
  noScript: 'This page needs JavaScript. You can also use the command line.',
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
  percent: (figure: string) => `${figure} %`,
  byteUnits: ['B', 'KB', 'MB', 'GB', 'TB'],

  tryAgain: 'Try again',
  wholeText: 'Full text',
  allCharacters: (length: number) => plural(length, { one: ' (all # character)', other: ' (all # characters)' }),
  thisMachine: 'This machine',
}
