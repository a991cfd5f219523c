// Beside the table: everything about the selected line.
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/dub/parts.ts'
import { decimal } from '#messages/language.ts'
import type { Edit, Line } from '../dub/lines.ts'
import { LONG_SHARE, moment } from '../dub/lines.ts'
import { SpeakerField } from '../dub-panel/speakers.tsx'
import { typedTimes } from './edits.ts'
import { stateText } from './table.tsx'

/** Typed text stays until it is a time: the line is drawn again at any moment. */
function Times({ line, onEdit }: { line: Line; onEdit: (line: Line, edit: Edit) => void }) {
  const [typed, setTyped] = useState<{ start?: string; end?: string }>({})
  const [refusal, setRefusal] = useState('')
  const store = () => {
    const times = typedTimes(line, typed)
    setRefusal(typeof times === 'string' ? strings.timeRefusals[times] : '')
    if (typeof times === 'string') return
    if (times.start !== line.start || times.end !== line.end) onEdit(line, times)
    setTyped({})
  }
  const field = (name: 'start' | 'end', label: string) => (
    <Field label={label}>
      <input
        type="number"
        min={0}
        step={0.01}
        value={typed[name] ?? Number(line[name].toFixed(2))}
        aria-invalid={refusal !== '' && name in typed}
        onInput={(event: Event) => setTyped({ ...typed, [name]: fieldValue(event) })}
        onChange={store}
      />
    </Field>
  )
  return (
    <>
      <div class="pair row">
        {field('start', strings.startSeconds)}
        {field('end', strings.endSeconds)}
      </div>
      {refusal && (
        <p class="warn-text" role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

export function LineDetails({
  line,
  speakers,
  nameOf,
  canSpeak,
  count,
  onEdit,
  onText,
  onNewSpeaker,
  onAgain,
}: {
  line: Line
  speakers: readonly string[]
  nameOf: (speaker: string) => string
  canSpeak: boolean
  /** lines that are spoken by a press, this one among them */
  count: number
  onEdit: (line: Line, edit: Edit) => void
  onText: (line: Line, text: string) => void
  onNewSpeaker: (name: string, line: Line) => void
  onAgain: (line: Line) => unknown
}) {
  return (
    <section class="line-details" aria-label={strings.line(line.number)}>
      <div class="row">
        <h3>{strings.line(line.number)}</h3>
        <span class="soft number">{moment(line.start)}</span>
        <span class="spread"></span>
        <Action disabled={!canSpeak || line.target.trim() === ''} onPress={() => onAgain(line)}>
          <Icon of="again" />
          {count === 1 ? strings.newTake : strings.speakWith(count - 1)}
        </Action>
      </div>
      <p class={`state text ${line.error || line.faults.length > 0 ? 'warn' : ''}`}>{stateText(line)}</p>
      {line.faults.includes('words') && line.understood && <p class="soft text">{strings.understood(line.understood)}</p>}
      {line.fit && (
        <p class={line.fit.share > LONG_SHARE ? 'warn-text' : 'soft'}>
          {strings.lengthIn(decimal(line.fit.seconds, 1), decimal(line.fit.room, 1), line.fit.isMeasured)}
        </p>
      )}
      {line.shorter && line.shorter !== line.target && (
        <p class="note text">
          <span>
            {strings.shorter} <q dir="auto">{line.shorter}</q>
          </span>{' '}
          <button type="button" class="quiet" onClick={() => onText(line, line.shorter)}>
            {strings.use}
          </button>
        </p>
      )}
      <div class="fields">
        <Field label={strings.sourceText}>
          <textarea
            dir="auto"
            rows={3}
            maxlength={5000}
            value={line.source}
            onInput={(event: Event) => onEdit(line, { source: fieldValue(event) })}
          ></textarea>
        </Field>
        <SpeakerField
          value={line.speaker}
          speakers={speakers}
          nameOf={nameOf}
          onChoose={(one: string) => onEdit(line, { speaker: one })}
          onNew={(name: string) => onNewSpeaker(name, line)}
        />
        <Times line={line} onEdit={onEdit} />
      </div>
    </section>
  )
}
