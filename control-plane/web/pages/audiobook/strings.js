// @ts-check
// The words of the Audiobook page.
import { strings as shared } from '../../lib/strings.js'

const chapters = (/** @type {number} */ count) => shared.plural(count, 'chapter', 'chapters')

export const strings = {
  drop: 'Drop a book or a manuscript here',
  choose: 'Choose a file',
  write: 'Write or paste text',
  file: 'Book',
  formats: 'EPUB, PDF, Markdown or plain text, up to 64 MB.',
  tooLarge: 'This file is larger than the studio accepts (64 MB).',
  /** @param {string} name */
  fileIsRead: (name) => `${name} is read. Open Audiobook to go on.`,
  /** @param {string} name */
  reading: (name) => `Importing ${name}`,
  /** @param {readonly string[]} parts */
  skipped: (parts) => `Not read aloud: ${parts.slice(0, 10).join(', ')}${parts.length > 10 ? ` and ${parts.length - 10} more` : ''}.`,
  firstText: '# Chapter 1\n\n',
  replaceTitle: 'Replace the manuscript?',
  replace: 'Replace it',
  /** @param {string} title */
  replaceHint: (title) => `The text of ${title} and your changes are dropped. Books that were created from it stay.`,

  troubles: {
    'not-kept': "The browser didn't keep your last change. Create the book, or copy its text, before you close this tab.",
    overtaken: "This book was changed in another tab, so your last change here wasn't kept. You see the newest text.",
  },

  books: 'Your books',
  noBooks: 'No books yet.',
  again: 'Try again',
  untitled: 'Untitled book',
  /** @param {string} title */
  inProgress: (title) => `In progress: ${title}`,
  goOn: 'Continue',
  chapters: 'Chapters',
  /** @param {number} number */
  chapter: (number) => `Chapter ${number}`,
  noChapterYet: 'No chapter is finished yet.',
  didNotFinish: "Couldn't finish.",
  starting: 'Starting',
  /** @param {string} time */
  left: (time) => `${time} left`,
  stop: 'Stop',
  /** @param {string} title */
  stopBook: (title) => `Stop ${title}`,
  /** @param {string} title */
  progress: (title) => `Progress of ${title}`,
  mayLeave: 'You can leave this page. The book goes on in the studio, and finished parts are kept when you stop it.',
  /** @param {number} done @param {number} all */
  kept: (done, all) => `Stopped. ${done} of ${chapters(all)} kept.`,
  resume: 'Resume',
  /** @param {string} title */
  resumeBook: (title) => `Resume ${title}`,
  /** @param {string} time @param {number} count */
  length: (time, count) => `${time} · ${chapters(count)}`,
  /** @param {string} title */
  playBook: (title) => `Play ${title}`,
  /** @param {string} title */
  saveBook: (title) => `Download ${title}`,
  readAlong: 'Read-along EPUB',

  allBooks: 'All books',
  opening: 'Opening the book…',
  noDraft: 'No book is open.',
  /** @param {number} count @param {string} time */
  plan: (count, time) => `${chapters(count)}, about ${time}`,
  create: 'Create audiobook',
  styles: { pause: 'Pause', slow: 'Slower', fast: 'Faster', say: 'Say as' },
  switchVoice: 'Voice from here',
  chooseVoice: 'Choose',
  preview: 'Play chapter',
  /** @param {string} name */
  previewOf: (name) => `Preview of ${name}`,
  /** @param {string} name */
  textOf: (name) => `Text of ${name}`,

  wholeBook: 'Whole book',
  cast: 'Cast',
  narrator: 'Narrator',
  /** @param {number} count */
  parts: (count) => shared.plural(count, 'part', 'parts'),
  /** @param {string} name */
  voiceOf: (name) => `Voice of ${name}`,
  defaultVoice: 'Default voice',
  /** @param {string} name */
  ownVoice: (name) => `${name} (saved voice)`,
  asNamed: 'As named in the text',
  /** @param {string} names */
  noVoice: (names) => `Not among your saved voices: ${names}. Choose a voice for each, unless the engine has one of that name.`,
  book: 'Book',
  bookTitle: 'Title',
  author: 'Author',
  hasCover: 'With a cover',
  noCover: 'No cover',
  chooseCover: 'Choose a cover',
  output: 'Output',
  format: 'Format',
  m4b: 'M4B with chapters',
  mp3: 'MP3',
  loudness: 'Loudness',
  asSpoken: 'As spoken',
  podcast: 'Podcast (-16 LUFS)',
  acx: 'Audiobook shops, ACX (-19 LUFS)',
  speakTitles: 'Speak the titles of chapters',
  makeReadAlong: 'Also as EPUB that highlights the text',
  /** @param {string} size */
  size: (size) => `About ${size}.`,
  sayAs: 'Say as',
  sayAsHint: 'How words of this book are said.',
  /** @param {number} number */
  word: (number) => `Word ${number}`,
  wordExample: 'Wits',
  /** @param {number} number */
  said: (number) => `Said as ${number}`,
  saidExample: 'whits',
  /** @param {number} number */
  removeWord: (number) => `Remove word ${number}`,
  addWord: 'Add a word',
}
