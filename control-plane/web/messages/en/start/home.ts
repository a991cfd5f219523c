// The words of the Home page.
import { grouped, plural } from '../language.ts'

export const strings = {
  local: 'Work runs on this machine.',
  machine: (name: string, jobs: number) =>
    `${name} is connected and ${jobs === 0 ? 'idle' : `runs ${plural(jobs, { one: '# job', other: '# jobs' })}`}.`,
  machines: (count: number) => `${count} machines are connected.`,

  text: 'Text',
  placeholder: 'Type or paste text…',
  voice: 'Voice',
  defaultVoice: 'Default voice',
  speak: 'Speak',
  speakKeys: 'Ctrl ↵',
  tooLong: (limit: number) => `A take can have at most ${grouped(limit)} characters.`,
  busy: 'Something is still being generated. Cancel it or wait until it ends.',
  openFile: 'Open a file',
  dictate: 'Dictate',
  askFile: (name: string) => `${name}: dub it or transcribe it?`,
  dubIt: 'Dub it',
  transcribeIt: 'Transcribe it',
  keepOut: 'Cancel',
  otherFile: 'Home opens texts, recordings and films. Books are opened on the Audiobook page.',
  longText: 'This text is as long as a book. Open it on the Audiobook page.',
  otherTranscript: 'Another transcript is open in this tab. Save or discard it first.',
  create: 'Create',
  tiles: {
    dub: ['Dub a video', 'In another language'],
    audiobook: ['Make an audiobook', 'From EPUB, PDF, Word or text'],
    transcribe: ['Transcribe', 'Audio, video or dictation'],
    voices: ['Clone or design a voice', '10 seconds are enough'],
  },

  continue: 'Continue',
  allTakes: 'All takes',
  take: 'Take',
  project: 'Project',
  speech: 'Speech',
  dub: (language: string, lines: number) =>
    ['Dub', language, lines > 0 ? plural(lines, { one: '# line', other: '# lines' }) : ''].filter(Boolean).join(' · '),
  book: (chapters: number) => plural(chapters, { one: 'Audiobook · # chapter', other: 'Audiobook · # chapters' }),
  stopped: (done: number, all: number) => `Stopped. ${done} of ${all} chapters are kept.`,
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
  suggestions: (count: number) => plural(count, { one: 'Ready, with # suggestion', other: 'Ready, with # suggestions' }),
  notReady: 'Something needs you',
  needsApproval: (name: string) => `${name} needs your approval`,
  review: 'Review',
  show: 'Show',
  dismiss: 'Dismiss',
  crashed: 'The program crashed or was killed. The end of its log was kept.',
  readError: (what: string) => `Couldn't load this list: ${what}`,
}
