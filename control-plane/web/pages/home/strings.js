// @ts-check
// The words of the Home page.
import { grouped, strings as shared } from '../../lib/strings.js'

export const strings = {
  local: 'Work runs on this machine.',
  /** @param {string} name @param {number} jobs */
  machine: (name, jobs) => `${name} is connected and ${jobs === 0 ? 'idle' : `runs ${shared.plural(jobs, 'job', 'jobs')}`}.`,
  /** @param {number} count */
  machines: (count) => `${count} machines are connected.`,

  text: 'Text',
  placeholder: 'Type or paste text…',
  voice: 'Voice',
  defaultVoice: 'Default voice',
  savedVoices: 'Saved voices',
  engineVoices: 'Built-in voices',
  speak: 'Speak',
  speakKeys: 'Ctrl ↵',
  /** @param {number} limit */
  tooLong: (limit) => `A take can have at most ${grouped(limit)} characters.`,
  busy: 'Something is still being generated. Cancel it or wait until it ends.',
  openFile: 'Open a file',
  dictate: 'Dictate',
  /** @param {string} name */
  askFile: (name) => `${name}: dub it or transcribe it?`,
  dubIt: 'Dub it',
  transcribeIt: 'Transcribe it',
  keepOut: 'Cancel',
  otherFile: 'Home opens texts, recordings and films. Books are opened on the Audiobook page.',
  longText: 'This text is as long as a book. Open it on the Audiobook page.',
  otherTranscript: 'Another transcript is open in this tab. Save or discard it first.',
  create: 'Create',
  tiles: {
    dub: ['Dub a video', 'In another language'],
    audiobook: ['Make an audiobook', 'From EPUB, PDF or text'],
    transcribe: ['Transcribe', 'Audio, video or dictation'],
    voices: ['Clone or design a voice', '10 seconds are enough'],
  },

  continue: 'Continue',
  allTakes: 'All takes',
  take: 'Take',
  project: 'Project',
  /** @param {string} language @param {number} lines */
  dub: (language, lines) => ['Dub', language, lines > 0 ? shared.plural(lines, 'line', 'lines') : ''].filter(Boolean).join(' · '),
  /** @param {number} chapters */
  book: (chapters) => `Audiobook · ${shared.plural(chapters, 'chapter', 'chapters')}`,
  /** @param {number} done @param {number} all */
  stopped: (done, all) => `Stopped. ${done} of ${all} chapters are kept.`,
  done: 'Done',
  draft: 'Draft',
  spoken: 'Spoken',

  first: 'First words',
  firstHint: 'Pick a text to try a voice.',
  samples: [
    'The harbour was quiet at five. Only the gulls, and one lamp on the far pier.',
    'Good evening. Here are the headlines at nine.',
    'Twelve steps lead down to the cellar, and the last one is loose.',
  ],

  running: 'Running now',
  jobs: 'Jobs',
  nothing: 'Nothing is running.',
  checking: 'Checking this studio…',
  ready: 'Ready',
  /** @param {number} count */
  suggestions: (count) => `Ready, with ${shared.plural(count, 'suggestion', 'suggestions')}`,
  notReady: 'Something needs you',
  needsApproval: (/** @type {string} */ name) => `${name} needs your approval`,
  review: 'Review',
  show: 'Show',
  dismiss: 'Dismiss',
  crashed: 'The program crashed or was killed. The end of its log was kept.',
  /** @param {string} what */
  readError: (what) => `Couldn't load this list: ${what}`,
}
