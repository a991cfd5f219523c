// The statement of a speaker: a sentence with the date and two words chosen by chance, so that an earlier recording does not fit, and its recording.

import { type Said, useStatement } from '#control-plane/web/frame/kept/statement.ts'
import { request } from '#control-plane/web/lib/api.ts'
import type { VoiceRow } from '#control-plane/web/lib/api-types.ts'
import { Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useMemo, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { day } from '#messages/language.ts'
import { strings } from '#messages/library/voices.ts'
import { Recording } from './recorder.tsx'

/** Two different ones. */
function twoWords(): string {
  const { checkWords: words } = strings
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2))
  const at = first % words.length
  return [words[at], words[(at + 1 + (second % (words.length - 1))) % words.length]].join(strings.and)
}

/** The sentence that is read aloud; it stays while the name is typed. */
export function useSentence(speaker: string) {
  const words = useMemo(twoWords, [])
  const today = day(Date.now(), 'long')
  return strings.sentence(speaker.trim() || '…', today, words)
}

/** `id`: of the voice */
export async function sendStatement(id: string, { text, file }: Said) {
  const form = new FormData()
  form.append('consent_text', text)
  form.append('consent_audio', file)
  await request('POST', `/profiles/${id}/consent`, { form })
}

/** `sentence`: of the next recording. */
export const StatementRecording = ({
  sentence,
  statement: { said, isKept, change },
}: {
  sentence: string
  statement: ReturnType<typeof useStatement>
}) => (
  <>
    <blockquote class="sentence">
      <small>{strings.statementRead}</small>
      <p class="text" dir="auto">
        {said?.text ?? sentence}
      </p>
    </blockquote>
    <Recording
      file={said?.file ?? null}
      onFile={(file: File | null) => change(file && { text: sentence, file })}
      label={strings.statement}
      text={strings.statementSample}
    />
    {said && (
      <p class="note">
        <Icon of="note" />
        <span>{isKept ? strings.statementKept : strings.statementNotKept}</span>
      </p>
    )}
  </>
)

export function RecordStatement({ voice, onClose, onChanged }: { voice: VoiceRow; onClose: () => void; onChanged: () => Promise<void> }) {
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
  return (
    <Dialog title={strings.statement} onClose={onClose}>
      <Form onSend={send} send={strings.statementSave} disabled={said === null || speaker.trim() === ''}>
        <Field label={strings.speaker}>
          <input value={speaker} maxlength={200} onInput={(event: Event) => setSpeaker(fieldValue(event))} />
        </Field>
        <StatementRecording sentence={sentence} statement={statement} />
      </Form>
    </Dialog>
  )
}
