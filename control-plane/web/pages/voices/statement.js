// @ts-check
// The statement of a speaker: a sentence with the date and two words chosen by chance, so that an earlier recording does not fit, and its recording.
import { useStatement } from '../../frame/kept-statement.js'
import { request } from '../../lib/api.js'
import { Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useMemo, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { Icon } from '../../look/icons.js'
import { Recording } from './recorder.js'
import { strings } from './strings.js'

/** @import { VoiceRow } from '../../lib/api-types.ts' */
/** `text`: the sentence that was read aloud in the recording. @typedef {{ readonly text: string, readonly file: File }} Said */

/** Two different ones. @returns {string} */
function twoWords() {
  const { checkWords: words } = strings
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2))
  const at = first % words.length
  return [words[at], words[(at + 1 + (second % (words.length - 1))) % words.length]].join(strings.and)
}

/** The sentence that is read aloud; it stays while the name is typed. @param {string} speaker */
export function useSentence(speaker) {
  const words = useMemo(twoWords, [])
  const today = new Date().toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' })
  return strings.sentence(speaker.trim() || '…', today, words)
}

/** @param {string} id of the voice @param {Said} said */
export async function sendStatement(id, { text, file }) {
  const form = new FormData()
  form.append('consent_text', text)
  form.append('consent_audio', file)
  await request('POST', `/profiles/${id}/consent`, { form })
}

/** `sentence`: of the next recording. @param {{ sentence: string, statement: ReturnType<typeof useStatement> }} props */
export const StatementRecording = ({
  sentence,
  statement: { said, isKept, change },
}) => html`<blockquote class="sentence"><small>${strings.statementRead}</small>
  <p class="text" dir="auto">${said?.text ?? sentence}</p></blockquote>
  <${Recording} file=${said?.file ?? null} onFile=${(/** @type {File | null} */ file) => change(file && { text: sentence, file })} label=${strings.statement} text=${strings.statementSample} />
  ${said && html`<p class="note"><${Icon} of="note" /><span>${isKept ? strings.statementKept : strings.statementNotKept}</span></p>`}`

/** @param {{ voice: VoiceRow, onClose: () => void, onChanged: () => Promise<void> }} props */
export function RecordStatement({ voice, onClose, onChanged }) {
  const [speaker, setSpeaker] = useState(voice.name)
  const statement = useStatement(voice.id)
  const { said } = statement
  const sentence = useSentence(speaker)
  const send = async () => {
    if (!said) return
    await sendStatement(voice.id, said)
    await statement.change(null)
    notify(strings.statementSaved)
    await onChanged()
    onClose()
  }
  return html`<${Dialog} title=${strings.statement} onClose=${onClose}>
    <${Form} onSend=${send} send=${strings.statementSave} disabled=${said === null || speaker.trim() === ''}>
      <${Field} label=${strings.speaker}><input value=${speaker} maxlength="200" onInput=${(/** @type {Event} */ event) => setSpeaker(fieldValue(event))} /><//>
      <${StatementRecording} sentence=${sentence} statement=${statement} />
    <//>
  <//>`
}
