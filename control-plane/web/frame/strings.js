// @ts-check
// The words of the frame.
import { strings as shared } from '../lib/strings.js'

/** Names of all types of jobs. @type {Readonly<Record<string, string>>} */
const kinds = {
  generate: 'Speech',
  audiobook: 'Audiobook',
  story: 'Story',
  dub_ingest: 'Dub, downloading the film',
  dub_upload: 'Dub, preparing the film',
  dub_transcribe: 'Dub, writing the transcript',
  dub_generate: 'Dub, speaking lines',
  dub_repair: 'Dub, speaking lines again',
  batch: 'Batch dub',
  model_install: 'Model download',
  transcription: 'Transcription',
}
/** @type {Readonly<Record<string, string>>} */
const operations = { tts: 'Speech', asr: 'Transcription' }

export const strings = {
  /** @param {number} hour */
  greeting: (hour) => (hour >= 5 && hour < 12 ? 'Good morning' : hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening'),

  skip: 'Skip to content',
  pages: 'Pages',
  sections: { start: '', create: 'Create', library: 'Library', system: 'System' },
  titles: {
    home: 'Home',
    speak: 'Speak',
    dub: 'Dub',
    audiobook: 'Audiobook',
    transcribe: 'Transcribe',
    tools: 'Tools',
    projects: 'Projects',
    voices: 'Voices',
    files: 'Files',
    jobs: 'Jobs',
    machines: 'Machines',
    models: 'Models',
    settings: 'Settings',
    setup: 'Setup',
    design: 'Design',
  },
  more: 'More',
  collapse: 'Collapse',
  expand: 'Expand',
  notAllowed: "This page works only for the owner of the studio, on the studio's own machine.",
  reconnecting: 'Reconnecting… What you see may be out of date.',
  /** @param {number} count */
  active: (count) => shared.plural(count, 'job', 'jobs'),

  search: 'Search or run a command',
  searchKey: 'Ctrl K',
  device: 'This device',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  signIn: 'Sign in',
  signOut: 'Sign out',

  runsOn: 'Runs on',
  /** @param {string} name */
  runsOnNow: (name) => `Runs on ${name}`,
  automatic: 'Automatic',
  automaticLong: 'Automatic (fastest)',
  automaticHint: 'Each job goes to the machine that would finish it first.',
  manage: 'Manage machines',
  /** @param {string} operation @param {string} place */
  now: (operation, place) => `${operations[operation] ?? operation}: ${place}`,
  /** @param {string} name */
  runningOn: (name) => `Running on ${name}`,
  fastest: 'the fastest machine',
  thisMachine: 'this machine',
  saved: 'Saved.',

  player: 'Player',
  speed: 'Speed',
  /** @param {number} speed */
  speedOf: (speed) => `${speed}×`,
  closePlayer: 'Stop and close the player',
  jobs: 'Jobs',
  safeToLeave: 'Safe to leave this page',
  seeAll: 'See all',
  nothingRuns: 'Nothing running. What you make appears here.',
  waiting: 'Waiting',
  running: 'Running',
  /** @param {string} time */
  left: (time) => `${time} left`,
  /** @param {string} name */
  cancelJob: (name) => `Cancel: ${name}`,
  kinds,
  /** @param {string} kind */
  kind: (kind) => kinds[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' '),
  /** @param {string} name @param {string} share */
  progress: (name, share) => `${name}: ${share}`,
}
