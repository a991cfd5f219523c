// @ts-check
// The words of the Dub page.
import { grouped, strings as shared } from '../../lib/strings.js'

const lines = (/** @type {number} */ count) => shared.plural(count, 'line', 'lines')
/** @type {Readonly<Record<string, string>>} What is checked of a line. */
const CHECKS = {
  words: 'words',
  timing: 'timing',
  language: 'language',
  level: 'loudness',
  clipping: 'distortion',
  rate: 'tempo',
  cut: 'cut-off ends',
  leak: 'leaks of the original',
  voice: 'likeness of voices',
}
const checkNames = (/** @type {readonly string[]} */ checks) => checks.map((check) => CHECKS[check] ?? check).join(', ')
const sentence = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1)

export const strings = {
  drop: 'Drop a video or a recording here',
  choose: 'Choose a file',
  file: 'Video or recording',
  formats: 'Every common format, up to 50 GB.',
  tooLarge: 'This file is larger than the studio accepts (50 GB). Cut it into parts.',
  address: 'Or from an address',
  addressExample: 'https://…',
  fetchFilm: 'Fetch',
  sending: 'Upload',
  /** @param {string} share */
  sendingShare: (share) => `Upload: ${share}`,
  /** @param {string} sent @param {string} all */
  sentOf: (sent, all) => `${sent} of ${all}`,
  sendingHint: 'Keep this tab open until the upload is complete. After that you can leave.',
  notSent: "The file wasn't sent.",
  stillThere: 'Choose the file again to send it.',

  dubs: 'Your dubs',
  /** @param {number} count */
  newestOnly: (count) => `Only the newest ${grouped(count)} dubs are listed. Older ones open by their address.`,
  noDubs: 'No dubs yet.',
  again: 'Try again',
  /** @param {string} length @param {number} count */
  facts: (length, count) => [length, count > 0 ? lines(count) : ''].filter(Boolean).join(' · '),
  /** @param {string} languages */
  dubbedIn: (languages) => `Spoken in ${languages}`,
  notSpoken: 'Not spoken yet',
  /** @param {string} name */
  removeNamed: (name) => `Delete ${name}`,
  removeTitle: 'Delete this dub?',
  removeHint:
    'Its film, lines and voice tracks are deleted. Results of its tasks, such as spoken lines, stay for a week. Files that you exported stay.',
  allDubs: 'All dubs',
  newDub: 'New dub',
  missing: "This dub doesn't exist. It may have been deleted.",
  notPrepared: "The film couldn't be prepared.",

  stepsTitle: 'Steps',
  steps: { film: 'Film', lines: 'Transcript', translation: 'Translation', speech: 'Speech' },
  runsNow: ', running',
  isDone: ', done',
  isOpen: ', open',
  stages: { prepare: 'Preparing the film', transcribe: 'Transcribing', speak: 'Speaking the lines' },
  translating: 'Translating',
  /** @param {string} time */
  left: (time) => `${time} left`,
  stop: 'Stop',
  mayLeave: 'You can leave this page. The work goes on in the studio.',
  keepOpen: 'Keep this page open. Lines that are translated stay.',
  beginHint: 'Transcribe what is said in the film, or use subtitles that you have.',
  speakerCount: 'Speakers',
  automatic: 'Automatic',
  importSubtitles: 'Import subtitles',
  transcribe: 'Transcribe',
  /** @param {number} count */
  chooseTarget: (count) => `${lines(count)} found. Choose the language to dub into.`,
  /** @param {number} count */
  translate: (count) => `Translate ${lines(count)}`,
  /** @param {number} count */
  translateHint: (count) => `${lines(count)} found. Correct the transcript first if you like; select a line to change it.`,
  useOriginal: 'Use the original text',
  sameHint: 'The film is in this language already.',
  /** @param {number} count */
  speakLines: (count) => `Speak ${lines(count)}`,
  /** @param {number} count @param {boolean} isSpoken */
  speakHint: (count, isSpoken) =>
    isSpoken
      ? `${count === 1 ? '1 line has' : `${grouped(count)} lines have`} changed since the last run.`
      : 'Read the translation, then have it spoken.',
  refitHint: 'The timing has changed. The lines are fitted again, and spoken only where needed.',
  refit: 'Fit again',
  allSpoken: 'Every line is spoken.',
  check: 'Check',
  export: 'Export',
  didNotFinish: "Couldn't finish.",
  notKept: "The browser didn't keep your last change. Speak the lines before you close this tab.",
  /** @param {number} count */
  unspoken: (count) => `${lines(count)} could not be spoken.`,
  linesComing: 'The lines appear here when the transcription is complete.',
  noLines: 'No lines yet.',

  to: 'Into',
  chooseLanguage: 'Choose a language',
  timing: 'Timing',
  strategies: {
    concise: 'Natural speech',
    smart_fit: 'Fit speech and picture',
    stretch_video: 'Slow the picture',
    strict_slot: 'Keep each slot',
  },
  voices: 'Voices',
  speaker: 'Speaker',
  allSpeakers: 'All speakers',
  /** @param {number} count */
  review: (count) => `${grouped(count)} to review`,
  find: 'Find',

  timeline: 'Timeline',
  timelineKeys: 'J K L play the film · [ and ] set start and end · Alt ↑ ↓ move the line',
  position: 'Position in the film',
  zoomLabel: 'Seconds shown',
  /** @param {string} seconds */
  zoom: (seconds) => `${seconds} s`,
  /** @param {number} number @param {string} start @param {string} end */
  lineMoved: (number, start, end) => `Line ${number} is from ${start} to ${end}.`,
  editing: 'Editing',
  undo: 'Undo',
  undoKeys: 'Undo (Ctrl Z)',
  redo: 'Redo',
  redoKeys: 'Redo (Ctrl Y)',
  undone: 'Undone.',
  redone: 'Redone.',
  lineSplit: 'The line is split.',
  linesJoined: 'The lines are joined.',
  split: 'Split',
  splitHint: 'Split the line in two: at the caret, at the position of the film, or between sentences (S)',
  join: 'Join',
  joinHint: 'Join the line with the next one (M)',
  insert: 'Line',
  insertHint: 'Insert a line at the position of the film, or after the selected line (+)',
  lineInserted: 'A line is inserted.',
  noRoom: 'No room for a line here. Move the film to a place between two lines.',
  /** @param {number} number @param {string} speaker */
  lineGiven: (number, speaker) => `${speaker} speaks line ${number}.`,

  lines: 'Lines',
  number: '#',
  start: 'Start',
  original: 'Original',
  translation: 'Translation',
  fitTitle: 'Fit',
  state: 'State',
  listen: 'Listen',
  /** @param {number} number */
  speakerNumber: (number) => `Speaker ${number}`,
  /** @param {string} time */
  showAt: (time) => `Play the film from ${time}`,
  /** @param {string} seconds */
  length: (seconds) => `${seconds} s`,
  /** @param {number} number */
  targetOf: (number) => `Translation of line ${number}`,
  noText: 'Not translated',
  /** @param {number} number */
  playLine: (number) => `Play line ${number}`,
  /** @param {number} number */
  stopLine: (number) => `Stop line ${number}`,
  /** @param {string} share @param {boolean} isMeasured */
  fit: (share, isMeasured) => `${isMeasured ? '' : '≈ '}${share}×`,
  /** @param {boolean} isMeasured */
  fitHint: (isMeasured) => `Spoken length over the time that the line has, ${isMeasured ? 'measured' : 'estimated'}`,
  tooLong: 'Long for its time',
  states: { untranslated: 'Not translated', ready: 'Not spoken yet', spoken: 'Spoken', changed: 'Changed', failed: 'Not spoken' },
  /** @type {Readonly<Record<string, string>>} */
  faults: {
    missing: 'Missing in the track',
    silence: 'Silent',
    words: 'Words differ',
    timing: 'Wrong time',
    language: 'Another language',
    repetition: 'Repeats itself',
    level: 'Too loud or too quiet',
    clipping: 'Distorted',
    rate: 'Too fast or too slow',
    cut: 'Cut off',
    leak: 'Original voice audible',
  },

  film: 'Film',
  soundOf: 'Sound of the film',
  chooseLine: 'Select a line to see and change everything about it.',
  /** @param {number} number */
  line: (number) => `Line ${number}`,
  newTake: 'New take',
  /** @param {number} count */
  speakWith: (count) => `Speak this and ${grouped(count)} more`,
  /** @param {number} count */
  translateFirst: (count) => `${count === 1 ? '1 line has' : `${grouped(count)} lines have`} no translation. Fill in every line first.`,
  /** @param {string} text */
  understood: (text) => `The check understood: ${text}`,
  /** @param {string} length @param {string} room @param {boolean} isMeasured */
  lengthIn: (length, room, isMeasured) => `${isMeasured ? '' : 'About '}${length} s of speech in a room of ${room} s.`,
  shorter: 'A shorter version:',
  use: 'Use it',
  sourceText: 'Original text',
  startSeconds: 'Start (s)',
  endSeconds: 'End (s)',
  timeRefusals: { number: 'Enter seconds, such as 12.5.', order: 'The end must be at least 0.1 s after the start.' },

  /** @param {string} name */
  hearVoice: (name) => `Play the voice of ${name}`,
  /** @param {string} name */
  stopVoice: (name) => `Stop the voice of ${name}`,
  /** @param {number} count @param {string} time */
  speaks: (count, time) => `${lines(count)}, ${time}`,
  voicesHint: 'Each speaker keeps one voice. Lines that were spoken in another one are spoken again.',
  name: 'Name',
  /** @param {string} name */
  voiceOf: (name) => `Voice of ${name}`,
  engineVoice: 'Voice of the engine',
  filmVoice: 'Voice from the film',
  savedVoices: 'Saved voices',

  glossary: 'Glossary',
  glossaryHint: 'Names and terms that are translated in one way everywhere. They apply from the next translation on.',
  noGlossary: 'No terms yet.',
  terms: 'Terms',
  termSource: 'Original',
  termTarget: 'Translation',
  termNote: 'Note',
  addTerm: 'Add term',
  findTerms: 'Find terms',
  noTerms: 'There is no text to read yet.',
  /** @param {number} count */
  termsFound: (count) =>
    count === 0 ? 'No new terms were found.' : `${shared.plural(count, 'term', 'terms')} added. Check the translations.`,
  foundTerm: 'Found',
  /** @param {string} name */
  editTerm: (name) => `Edit ${name}`,
  /** @param {string} name */
  removeTerm: (name) => `Remove ${name}`,
  /** @param {number} count */
  translateAgain: (count) => `Translate ${lines(count)} again`,

  exportTitle: 'Export',
  language: 'Language',
  keepBackground: 'Keep music and noise of the film',
  keepOriginal: 'Keep the sound of the film, quieter',
  dual: 'Subtitles in both languages',
  burn: 'Draw subtitles into the picture',
  files: {
    film: 'Video (MP4)',
    /** @param {number} count @param {boolean} burns */
    filmHint: (count, burns) =>
      `${count === 1 ? 'The dub' : `${count} dubs`}, the original sound, and ${burns ? 'subtitles in the picture' : 'subtitles that are off'}.`,
    mp3: 'Sound (MP3)',
    mp3Hint: 'Small, plays everywhere.',
    wav: 'Sound (WAV)',
    wavHint: 'Without loss.',
    srt: 'Subtitles (SRT)',
    srtHint: 'For players and video sites.',
    vtt: 'Subtitles (WebVTT)',
    vttHint: 'For web pages.',
    stems: 'Stems (ZIP)',
    stemsHint: 'Voice and background as separate files.',
    lines: 'Lines (ZIP)',
    linesHint: 'Each line as a WAV file.',
  },
  /** @param {string} name */
  saveAs: (name) => `Save ${name}`,
  exportHint: 'A long film takes a while before its download begins.',

  /** @param {number} faulty @param {number} all */
  faulty: (faulty, all) => `${faulty} of ${lines(all)} have faults.`,
  /** @param {readonly string[]} checks */
  checked: (checks) => `${sentence(checkNames(checks))} checked, without faults.`,
  /** @param {readonly string[]} checks */
  notChecked: (checks) => `Not checked: ${checkNames(checks)}.`,
  /** @param {readonly string[]} checks */
  partlyChecked: (checks) => `Checked in some lines only: ${checkNames(checks)}.`,
  showThem: 'Show them',
  repair: 'Speak them again',
  closeNote: 'Close this note',
  /** @param {number} count */
  wordless: (count) =>
    `${shared.plural(count, 'place', 'places')} of the film ${count === 1 ? 'has' : 'have'} a voice, but no words were recognised and there is no line. Insert a line where someone speaks.`,
  /** @param {string} from @param {string} to */
  fromTo: (from, to) => `${from} to ${to}`,
  /** @param {string} times */
  playPlace: (times) => `Play ${times}`,
  /** @param {number} count */
  morePlaces: (count) => `and ${count} more`,
  /** @param {number} count */
  uncovered: (count) => `${shared.plural(count, 'place', 'places')} of the film with speech ${count === 1 ? 'has' : 'have'} no line.`,
}
