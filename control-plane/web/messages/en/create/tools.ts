// The words of the Tools page.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

export const strings = {
  title: 'Tools',
  all: 'All tools',
  tools: {
    'detect-mark': ['Detect a mark', 'Find out whether a recording was made by this studio.'],
    convert: ['Convert audio', 'Save a WAV file as MP3, M4B or Ogg.'],
    subtitles: ['Subtitles', 'Repair a subtitle file, and save it as SRT, WebVTT or text.'],
    batch: ['Batch dubbing', 'Dub several films into several languages, without edits.'],
  },
  dropHere: 'Drop a file here, or',
  result: 'Result',
  save: shared.save,

  chooseRecording: 'Choose a recording',
  searching: (name: string) => `Searching ${name}`,
  marked: 'This recording has the mark of this studio.',
  unmarked: 'No mark was found.',
  certainty: (share: string) => `Certainty: ${share}.`,
  unmarkedHint: 'That is no proof: a recording of less than 8 seconds, or one that was changed a lot, may have lost its mark.',
  atSpeed: (speed: string) => `It plays ${speed} times as fast as it was generated.`,

  format: 'Format',
  bitrate: 'Quality',
  kilobits: (rate: string) => `${rate} kbit/s`,
  chooseWav: 'Choose a WAV file',
  converting: (name: string) => `Converting ${name}`,

  chooseSubtitles: 'Choose a subtitle file',
  cuesTitle: 'Cues',
  cues: (count: number) => plural(count, { one: '# cue', other: '# cues' }),
  saveAs: (format: string) => `Save ${format}`,
  repaired: (skipped: number, repeated: number) =>
    [
      skipped > 0 ? plural(skipped, { one: '# damaged cue was left out.', other: '# damaged cues were left out.' }) : '',
      repeated > 0 ? plural(repeated, { one: '# repeated cue was left out.', other: '# repeated cues were left out.' }) : '',
    ]
      .filter(Boolean)
      .join(' '),
  time: (start: string, end: string) => `${start} to ${end} s`,
  more: (count: number) => `${grouped(count)} more are in the saved file.`,

  addLanguage: 'Add a language',
  choose: 'Choose',
  without: (name: string) => `Remove ${name}`,
  voice: 'Voice',
  ownVoices: 'Voices of the film',
  chooseFilm: 'Choose a film',
  sending: (name: string) => `Sending ${name}`,
  noFilms: 'Nothing in the batch yet.',
  states: { queued: 'Waiting', running: 'Running', done: 'Done', failed: "Couldn't finish", cancelled: 'Cancelled' },
  progressOf: (name: string) => `Progress of ${name}`,
  cancel: shared.cancel,
  remove: shared.remove,
  cancelFilm: (name: string) => `Cancel ${name}`,
  removeFilm: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteDub: "Its film, lines, takes and voice tracks are deleted. You can't undo this.",
  deleteYes: 'Delete',
  keep: 'Keep it',
}
