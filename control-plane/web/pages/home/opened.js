// @ts-check
// A file that is opened or dropped on Home: a text goes into the field, and a recording or a film to the page that the person chooses.
import { messageOf } from '../../lib/api.js'
import { html } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { changeDraft } from '../speak/draft.js'
import { strings } from './strings.js'

/** Longer files are books. */
const MOST_TEXT_BYTES = 1024 ** 2
const TEXT = /\.(?:txt|md)$/i
/** What Home opens; the escapes keep tools from reading a comment. */
export const OPENED = 'audio/\u002a,video/\u002a,.mkv,.txt,.md'

/** A recording is given back, for the person to choose what becomes of it. @param {File} file @returns {Promise<File | null>} */
export async function opened(file) {
  if (/^(?:audio|video)\//.test(file.type) || /\.mkv$/i.test(file.name)) return file
  if (!TEXT.test(file.name)) notify(strings.otherFile, 'error')
  else if (file.size > MOST_TEXT_BYTES) notify(strings.longText, 'error')
  else
    await file.text().then(
      (text) => changeDraft({ text }),
      (failure) => notify(messageOf(failure), 'error'), // it was moved, or may not be read
    )
  return null
}

async function transcribe(/** @type {File} */ file) {
  const { choose } = await import('../transcribe/transcription.js')
  if (!choose(file)) notify(strings.otherTranscript, 'error')
  location.hash = '#/transcribe'
}
async function dub(/** @type {File} */ file) {
  const { sendFilm } = await import('../dub/upload.js')
  sendFilm(file)
  location.hash = '#/dub'
}

/** What becomes of a recording. @param {{ file: File, onClose: () => void }} props */
export const Question = ({ file, onClose }) => html`<div class="row" role="group" aria-label=${strings.askFile(file.name)}>
  <span class="text one-line" dir="auto">${strings.askFile(file.name)}</span>
  <button type="button" class="tint" onClick=${() => dub(file)}>${strings.dubIt}</button>
  <button type="button" class="tint" onClick=${() => transcribe(file)}>${strings.transcribeIt}</button>
  <button type="button" class="quiet" onClick=${onClose}>${strings.keepOut}</button>
</div>`
