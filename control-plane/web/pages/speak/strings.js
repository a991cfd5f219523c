// @ts-check
// The words of the Speak page.
import { grouped, strings as shared } from '../../lib/strings.js'

export const strings = {
  text: 'Text',
  placeholder: 'Type or paste text…',
  /** @param {number} length @param {number} limit */
  length: (length, limit) => `${grouped(length)} of ${grouped(limit)} characters. [pause 500ms] adds a pause.`,
  engine: 'Engine',
  /** @param {string} name */
  defaultEngine: (name) => (name ? `Default (${name.replace(/ engine$/, '')})` : 'Default'),
  voice: 'Voice',
  defaultVoice: 'Default voice',
  engineVoices: 'Built-in voices',
  savedVoices: 'Saved voices',
  /** @param {string} voice */
  unknownVoice: (voice) => `${voice} (not available with this engine)`,
  /** @param {string} name @param {'ready' | 'basic' | 'missing'} state */
  engineOption: (name, state) => `${name}${{ ready: '', basic: ' (embedded voice)', missing: ' (not installed)' }[state]}`,
  /** @param {number} speed */
  speed: (speed) => `Speed: ${speed.toFixed(2)}×`,
  file: 'Save as',
  kinds: {
    wav: 'WAV (added to takes)',
    mp3: 'MP3 (download only)',
    flac: 'FLAC (download only)',
    opus: 'Opus (download only)',
    aac: 'AAC (download only)',
  },
  more: 'Style, language and seed',
  style: 'Style',
  styleHint: 'For engines that follow instructions, for example: a calm old woman.',
  language: 'Language',
  languageHint: 'A tag such as en or de. Leave it empty to let the engine decide.',
  seed: 'Seed',
  seedHint: 'The same seed gives the same take. Leave it empty for a new one each time.',
  /** @param {boolean} isTake @param {number} limit */
  tooLong: (isTake, limit) => `${isTake ? 'A take' : 'This kind of file'} can have at most ${grouped(limit)} characters.`,
  badSeed: 'The seed must be a whole number, 0 or more.',
  downloadOnly: "This file plays once it's complete. It isn't added to your takes, so keep this tab open and download it.",
  speak: 'Speak',
  speakKeys: 'Ctrl ↵',
  stop: 'Stop',

  seeModels: 'See available models',
  /** @param {string} name */
  engineUnavailable: (name) => `${name} isn't available. `,
  /** @param {number} count */
  unavailable: (count) => shared.plural(count, "engine isn't available", "engines aren't available"),

  waiting: 'Waiting for the first sound',
  safeToLeave: 'You can leave this page. The take is added to your takes.',
  listen: 'Listen',
  /** @param {string} name */
  onMachine: (name) => `on ${name}`,
  /** @param {string} name */
  stoppedAnswering: (name) => `${name} stopped answering.`,
  /** @param {number} kept @param {number} total */
  partsKept: (kept, total) => `${kept} of ${total} parts are finished and kept.`,
  next: {
    here: "If it isn't back within 30 seconds, this machine finishes the take.",
    elsewhere: 'Another machine takes over in a few seconds.',
    fail: "The take continues when it's back. If it isn't back within 30 seconds, the take fails.",
  },
  finishHere: 'Finish on this machine',
  /** @param {number} part @param {number} total */
  generating: (part, total) => `Generating: ${part} of ${total}`,
  /** @param {number} part @param {number} total */
  playing: (part, total) => `Playing while generating: ${part} of ${total}`,
  /** @param {string} time @param {boolean} isPlaying */
  ready: (time, isPlaying) => `Ready in ${time}${isPlaying ? ', still playing' : ''}`,
  cancelled: 'Cancelled. Nothing was saved.',
  failed: "Couldn't finish",
  /** @param {string} time */
  firstSound: (time) => `First sound after ${time}`,
  progress: 'Progress of the text',
  note: 'Note: ',
  /** @param {number} count @param {string} parts */
  silentParts: (count, parts) =>
    `${shared.plural(count, 'part', 'parts')} of the text had no sound and ${count === 1 ? 'was' : 'were'} left out: ${parts}`,
  busy: 'Something is still being generated. Cancel it or wait until it ends.',

  selectedTake: 'Selected take',
  position: 'Position',
  /** @param {string} at @param {string} length */
  positionText: (at, length) => `${at} of ${length}`,
  broken: "Couldn't load this take. Its file may have been deleted.",

  takes: 'Takes',
  takesNote: 'The newest 50, and every starred one.',
  noTakes: 'No takes yet. What you generate appears here.',
  unknownEngine: 'Unknown engine',
  /** @param {string} voice */
  voiceOf: (voice) => `voice ${voice}`,
  /** @param {string} length @param {string} time */
  lengthOf: (length, time) => `${length} long, generated in ${time}`,
  /** @param {number} seed */
  seedOf: (seed) => `seed ${seed}`,
  play: shared.play,
  /** @param {string} name */
  playTake: (name) => `Play: ${name}`,
  /** @param {string} name @param {boolean} isStarred */
  starTake: (name, isStarred) => `${isStarred ? 'Starred' : 'Star'}: ${name}`,
  /** @param {string} name */
  downloadTake: (name) => `Download: ${name}`,
  delete: 'Delete',
  /** @param {string} name */
  deleteTake: (name) => `Delete: ${name}`,
  deleteAll: 'Delete all',
  deleteTitle: 'Delete this take?',
  deleteWarning: "The take and its file are deleted. You can't undo this.",
  deleteAllTitle: 'Delete all takes?',
  deleteAllWarning: "Every take and its file is deleted, including starred ones. You can't undo this.",
}
