// The words of the parts of an editor of a dub that its first view does not show: one line, speakers and voices, terms, check and export.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# line', other: '# lines' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
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
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'No installed model understands this language.',
  language: 'No installed model understands this language.',
  timing: 'No installed model finds where speech begins and ends.',
  leak: 'The voices of the film were not separated from its music and noise when it was prepared.',
  voice: 'No installed model compares voices.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const strings = {
  beginTitle: 'Start the dub',
  beginHint: 'Transcribe what is said in the film, or use subtitles that you have.',
  startHint: 'The film is transcribed and translated in one go. You can leave this page meanwhile.',
  follows: 'Then the film is transcribed and translated.',
  afterUpload: 'The film is transcribed and translated when the upload is complete.',
  filmLanguage: 'Language of the film',
  detect: 'Detect',
  dubInto: 'Dub into',
  chooseLanguages: 'Choose languages',
  addLanguage: 'Add a language',
  withoutLanguage: (name: string) => `Remove ${name}`,
  speakerCount: 'Speakers',
  automatic: 'Automatic',
  importSubtitles: 'Import subtitles',
  transcribe: 'Transcribe',
  start: 'Start',

  imported: (name: string) => `Lines from ${name}`,
  readAgainHint: 'If letters are wrong, choose another encoding: the lines are read again.',
  line: (number: number) => `Line ${number}`,
  newTake: 'New take',
  speakWith: (count: number) => `Speak this and ${grouped(count)} more`,
  understood: (text: string) => `The check understood: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `${isMeasured ? '' : 'About '}${length} s of speech in a room of ${room} s.`,
  shorter: 'A shorter version:',
  use: 'Use it',
  sourceText: 'Original text',
  startsAt: 'Start',
  endsAt: 'End',
  timeHint: 'Such as 1:02.5 or 62.5. The up and down arrow keys change it by 0.1 s, with Shift by 1 s.',
  timeRefusals: { number: 'Enter a time, such as 1:02.5 or 62.5.', order: 'The end must be at least 0.1 s after the start.' },
  filmEnds: (end: string) => `The film ends at ${end}.`,

  newSpeaker: 'New speaker…',
  newSpeakerName: 'Name of the new speaker',
  addSpeaker: 'Add',
  speakerKeys: 'Keys 1 to 9 set the speaker.',
  namesFound: 'Speakers found in the lines:',
  useNames: 'Use them',
  keepNames: 'Keep as words',
  hearVoice: (name: string) => `Play the voice of ${name}`,
  stopVoice: (name: string) => `Stop the voice of ${name}`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'Each speaker keeps one voice. Lines that were spoken in another one are spoken again.',
  name: 'Name',
  voiceOf: (name: string) => `Voice of ${name}`,
  engineVoice: 'Voice of the engine',
  filmVoice: 'Voice from the film',

  glossaryHint: 'Names and terms that are translated in one way everywhere. They apply from the next translation on.',
  noGlossary: 'No terms yet.',
  terms: 'Terms',
  termSource: 'Original',
  termTarget: 'Translation',
  termNote: 'Note',
  addTerm: 'Add term',
  findTerms: 'Find terms',
  noTerms: 'There is no text to read yet.',
  termsFound: (count: number) =>
    count === 0
      ? 'No new terms were found.'
      : plural(count, { one: '# term added. Check the translations.', other: '# terms added. Check the translations.' }),
  foundTerm: 'Found',
  editTerm: (name: string) => `Edit ${name}`,
  removeTerm: (name: string) => `Remove ${name}`,
  translateAgain: (count: number) => `Translate ${lines(count)} again`,

  exportTitle: 'Export',
  language: 'Language',
  keepBackground: 'Keep music and noise of the film',
  keepOriginal: 'Keep the sound of the film, quieter',
  dual: 'Subtitles in both languages',
  burn: 'Draw subtitles into the picture',
  files: {
    film: 'Video (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'The dub', other: '# dubs' })}, the original sound, and ${burns ? 'subtitles in the picture' : 'subtitles that are off'}.`,
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
  saveAs: (name: string) => `Save ${name}`,
  exportHint: 'You can close this window and leave the page. The studio goes on, and the file is here when it is made.',
  makes: (name: string) => `Making ${name}`,
  begins: 'Preparing',
  exportFailed: "The file couldn't be made.",
  cancelExport: (name: string) => `Cancel ${name}`,
  madeTitle: 'Made before',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'Check',
  checkAgain: 'Check again',
  closeCheck: 'Close the check',
  linesCount: lines,
  faulty: (faulty: number, all: number) => `${faulty} of ${lines(all)} have faults.`,
  noFaults: 'No faults were found in what was checked.',
  checked: (checks: readonly string[]) => `${sentence(checkNames(checks))} checked.`,
  notChecked: (checks: readonly string[]) => `Not checked: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `Checked in some lines only: ${checkNames(checks)}.`,
  showThem: 'Show them',
  repair: 'Speak them again',
  closeNote: 'Close this note',
  wordless: (count: number) =>
    plural(count, {
      one: '# place of the film has a voice, but no words were recognised and there is no line. Insert a line where someone speaks.',
      other: '# places of the film have a voice, but no words were recognised and there is no line. Insert a line where someone speaks.',
    }),
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  playPlace: (times: string) => `Play ${times}`,
  morePlaces: (count: number) => `and ${count} more`,
  uncovered: (count: number) =>
    plural(count, { one: '# place of the film with speech has no line.', other: '# places of the film with speech have no line.' }),
}
