// A voice from a recording: sample, name, statement of the speaker.
import { dropForm, keepForm, keptForm } from '#control-plane/web/frame/kept/form.ts'
import { keepStatement, useStatement } from '#control-plane/web/frame/kept/statement.ts'
import { messageOf } from '#control-plane/web/lib/api.ts'
import { Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useMemo, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { decoded } from '#control-plane/web/look/sample.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/library/voices.ts'
import { createVoice } from './profile.ts'
import { Recording } from './record/recorder.tsx'
import { StatementRecording, sendStatement, useSentence } from './record/statement.tsx'

/** Good lengths of a sample in seconds. */
const [SHORT, LONG] = [3, 15]
const GROUP = 'statement'
const KEY = 'voice-studio-new-voice'
/** Longer files are not decoded for their length alone. */
const DECODED_BYTES = 16 * 1024 ** 2

function Length({ file }: { file: File }) {
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => {
    let isOver = false
    setSeconds(null)
    if (file.size <= DECODED_BYTES)
      decoded(file).then(
        (sound) => isOver || setSeconds(sound.seconds),
        () => {}, // the studio may know a format that this browser does not
      )
    return () => {
      isOver = true
    }
  }, [file])
  if (seconds === null) return null
  const [tone, word] =
    seconds < SHORT ? ['warn', strings.lengthShort] : seconds > LONG ? ['warn', strings.lengthLong] : ['good', strings.lengthGood]
  return (
    <p class={`state ${tone}`} role="status">
      <Icon of={tone === 'good' ? 'check' : 'warning'} />
      {strings.length(seconds)} · {word}
    </p>
  )
}

export function Clone() {
  const kept = useMemo(() => keptForm(KEY), [])
  const [fields, setFields] = useState({ name: '', language: '', description: '', ref_text: '', ...kept.fields })
  const [file, setFile] = useState(kept.file)
  const statement = useStatement(KEY)
  const { said } = statement
  const [hasStatement, setStatement] = useState(false)
  const sentence = useSentence(fields.name)
  const set = (name: keyof typeof fields) => (event: Event) => setFields((now) => ({ ...now, [name]: fieldValue(event) }))
  const send = async () => {
    if (!file) return
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, kind: 'clone' })) form.append(name, value.trim())
    form.append('ref_audio', file)
    const id = await createVoice(form)
    dropForm(KEY)
    // The voice exists now: a refused statement must not lead to a second one.
    const error = hasStatement && said ? await sendStatement(id, said).then(() => null, messageOf) : null
    // The page of the voice asks for what was not stored.
    if (error !== null) await keepStatement(id, said)
    await statement.change(null)
    notify(error === null ? strings.created : `${strings.statementFailed} ${error}`, error === null ? 'good' : 'error')
    location.hash = `#/voices/${id}`
  }
  useEffect(() => void keepForm(KEY, fields, file), [fields, file])
  useEffect(() => {
    if (said) setStatement(true)
  }, [statement.isRead])
  const isReady = file !== null && fields.name.trim() !== '' && (!hasStatement || said !== null)
  return (
    <Form onSend={send} send={strings.create} disabled={!isReady}>
      <Needs.View of="cloning" />
      <section aria-label={strings.sample}>
        <h3>{strings.sample}</h3>
        <Recording file={file} onFile={setFile} label={strings.sample} text={strings.sampleText} hint={strings.sampleHint} />
        {file && <Length file={file} />}
      </section>
      <div class="choices">
        <Field label={strings.name}>
          <input value={fields.name} maxlength={1000} required onInput={set('name')} />
        </Field>
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={fields.language} maxlength={64} onInput={set('language')} />
        </Field>
      </div>
      <Field label={strings.transcript} hint={strings.transcriptHint}>
        <textarea rows={2} maxlength={10000} value={fields.ref_text} onInput={set('ref_text')}></textarea>
      </Field>
      <fieldset class="uses">
        <legend>{strings.statement}</legend>
        <label>
          <input type="radio" name={GROUP} checked={!hasStatement} onChange={() => setStatement(false)} />
          <span>
            {strings.statementLater}
            <small>{strings.statementWhy}</small>
          </span>
        </label>
        <label>
          <input type="radio" name={GROUP} checked={hasStatement} onChange={() => setStatement(true)} />
          <span>{strings.statementNow}</span>
        </label>
        {hasStatement && <StatementRecording sentence={sentence} statement={statement} />}
      </fieldset>
    </Form>
  )
}
