// @ts-check
// The words of the Transcribe page.
import { strings as shared } from '../../lib/strings.js'

export const strings = {
  drop: 'Drop a recording or a video here',
  choose: 'Choose a file',
  formats: 'Sound and video files of every common format. The work is done on this machine.',
  file: 'File',
  other: 'Choose another file',
  language: 'Language',
  languageHint: 'A tag such as en or de. Leave it empty to detect it.',
  speakers: 'Tell speakers apart',
  transcribe: 'Transcribe',
  tooLarge: 'This file is larger than the studio accepts here (512 MB). Convert it to a smaller one, for example MP3.',

  /** @param {string} name */
  working: (name) => `Transcribing ${name}`,
  /** @param {string} name */
  sending: (name) => `Sending ${name}`,
  sendingHint: 'You can use other pages meanwhile. Keep this tab open until the file is sent.',
  workingHint: 'You can leave this page or close it. The transcript will be here, and under Jobs.',
  otherShown: 'Another transcript is open in this tab. Save or discard it first, then open this one again.',
  cancelled: 'Cancelled.',
  earlier: 'Earlier transcripts',
  earlierHint: 'The studio keeps them for a week.',
  /** @param {string} what */
  earlierError: (what) => `Couldn't load earlier transcripts: ${what}`,
  done: 'Done',
  failed: "Couldn't transcribe this file.",
  seeModels: 'See available models',

  views: 'Recording or dictation',
  tabs: { recording: 'Recording', dictate: 'Dictate' },
  dictation: 'Dictation',
  dictate: 'Start dictation',
  goOn: 'Continue',
  stop: 'Stop',
  level: 'Level of the microphone',
  phases: {
    idle: '',
    starting: 'Loading the recogniser…',
    listening: 'Listening',
    ending: 'Recognising the last words…',
    lost: '',
    failed: '',
  },
  dictatedText: 'Dictated text',
  dictateHint: 'What you say appears here.',
  sendToSpeak: 'Send to Speak',
  clear: 'Clear',
  noLastWords: "The studio doesn't answer, so the last words weren't recognised. What was recognised until then is kept.",
  connectionLost: 'The connection was lost. What was recognised until then is kept.',
  microphoneBlocked: 'The microphone is blocked. Allow it in the settings of the browser for this page, then try again.',
  noMicrophone: 'No microphone was found. Connect one, then try again.',
  microphoneFailed: "The microphone can't be used. Close other programs that use it, then try again.",
  insecure: 'Browsers allow the microphone over HTTPS and on this machine only.',

  title: 'Transcript',
  /** @param {string} language @param {string} length @param {number} words */
  facts: (language, length, words) => [language, length, shared.plural(words, 'word', 'words')].filter(Boolean).join(' · '),
  silent: 'No speech was found in this file.',
  noSound: 'Choose the same file again to listen.',
  listen: 'Listen',
  otherFile: 'This transcript is of another file. Choose the file with the same name, or begin a new transcript.',
  discardTitle: 'Discard this text?',
  discard: 'Discard',
  discardHint: 'Copy or save it first if you need it.',
  copy: 'Copy text',
  copied: 'Copied.',
  /** @param {string} format */
  save: (format) => `Save ${format}`,
  another: 'New transcript',
  find: 'Find',
  /** @param {number} count */
  found: (count) => shared.plural(count, 'place', 'places'),
  /** @param {string} time */
  playFrom: (time) => `Play from ${time}`,
  /** @param {string} name */
  rename: (name) => `Rename ${name}`,
  renameTitle: 'Rename this speaker',
  name: 'Name',
  renameHint: 'The name changes everywhere in this transcript.',
}
