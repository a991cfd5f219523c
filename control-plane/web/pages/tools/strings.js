// @ts-check
// The words of the Tools page.
import { grouped, strings as shared } from '../../lib/strings.js'

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
  /** @param {string} name */
  searching: (name) => `Searching ${name}`,
  marked: 'This recording has the mark of this studio.',
  unmarked: 'No mark was found.',
  /** @param {string} share */
  certainty: (share) => `Certainty: ${share}.`,
  unmarkedHint: 'That is no proof: a recording of less than 8 seconds, or one that was changed a lot, may have lost its mark.',
  /** @param {string} speed */
  atSpeed: (speed) => `It plays ${speed} times as fast as it was generated.`,

  format: 'Format',
  bitrate: 'Quality',
  /** @param {string} rate */
  kilobits: (rate) => `${rate} kbit/s`,
  chooseWav: 'Choose a WAV file',
  /** @param {string} name */
  converting: (name) => `Converting ${name}`,

  chooseSubtitles: 'Choose a subtitle file',
  cuesTitle: 'Cues',
  /** @param {number} count */
  cues: (count) => shared.plural(count, 'cue', 'cues'),
  /** @param {string} format */
  saveAs: (format) => `Save ${format}`,
  /** @param {number} skipped @param {number} repeated */
  repaired: (skipped, repeated) =>
    [
      skipped > 0 ? `${shared.plural(skipped, 'damaged cue was', 'damaged cues were')} left out.` : '',
      repeated > 0 ? `${shared.plural(repeated, 'repeated cue was', 'repeated cues were')} left out.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  /** @param {string} start @param {string} end */
  time: (start, end) => `${start} to ${end} s`,
  /** @param {number} count */
  more: (count) => `${grouped(count)} more are in the saved file.`,

  addLanguage: 'Add a language',
  choose: 'Choose',
  /** @param {string} name */
  without: (name) => `Remove ${name}`,
  voice: 'Voice',
  ownVoices: 'Voices of the film',
  chooseFilm: 'Choose a film',
  /** @param {string} name */
  sending: (name) => `Sending ${name}`,
  noFilms: 'Nothing in the batch yet.',
  states: { queued: 'Waiting', running: 'Running', done: 'Done', failed: "Couldn't finish", cancelled: 'Cancelled' },
  /** @param {string} name */
  progressOf: (name) => `Progress of ${name}`,
  cancel: shared.cancel,
  remove: shared.remove,
  /** @param {string} name */
  cancelFilm: (name) => `Cancel ${name}`,
  /** @param {string} name */
  removeFilm: (name) => `Delete ${name}`,
  /** @param {string} name */
  deleteTitle: (name) => `Delete ${name}?`,
  deleteDub: "Its film, lines, takes and voice tracks are deleted. You can't undo this.",
  deleteYes: 'Delete',
  keep: 'Keep it',
}
