// Beside the table: everything about the selected line.
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { secondsOfClock, type TypedTimes, typedTimes } from '#control-plane/web/lib/typed-clock.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/dub/parts.ts'
import { decimal } from '#messages/language.ts'
import type { Edit, Line } from '../dub/lines.ts'
import { LEAST_SECONDS, LONG_SHARE, moment } from '../dub/lines.ts'
import { SpeakerField } from '../dub-panel/speakers.tsx'
import { stateText } from './table.tsx'

/** Seconds by which an arrow key changes a time, and with Shift. */
const [STEP, LONG_STEP] = [0.1, 1]
/** Decimals of a time that is shown to be changed, and of one that is stored. */
const [DIGITS, EXACT_DIGITS] = [2, 3]

/** Typed text stays until it is a time: the line is drawn again at any moment. */
function Times({ line, duration, onEdit }: { line: Line; duration: number; onEdit: (line: Line, edit: Edit) => void }) {
  const [typed, setTyped] = useState<TypedTimes>({})
  const [refusal, setRefusal] = useState('')
  const shown = (seconds: number) => moment(seconds, DIGITS)
  const said = useRef<HTMLParagraphElement | null>(null)
  useEffect(() => said.current?.scrollIntoView({ block: 'nearest' }), [refusal])
  const store = (next: TypedTimes) => {
    const times = typedTimes(line, next, { shown, least: LEAST_SECONDS, most: duration })
    if (typeof times === 'string') {
      setTyped(next)
      return setRefusal(times === 'past' ? strings.filmEnds(shown(duration)) : strings.timeRefusals[times])
    }
    setTyped({})
    setRefusal('')
    if (times.start !== line.start || times.end !== line.end) onEdit(line, times)
  }
  const press = (name: 'start' | 'end') => (event: KeyboardEvent) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (event.key === 'Escape') {
      setTyped({})
      setRefusal('')
    } else if (way && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      const text = typed[name]
      // Of the exact time, where none was typed.
      const from = text === undefined ? line[name] : (secondsOfClock(text) ?? line[name])
      const seconds = Math.max(0, from + way * (event.shiftKey ? LONG_STEP : STEP))
      store({ ...typed, [name]: moment(seconds, EXACT_DIGITS) })
    }
  }
  const field = (name: 'start' | 'end', label: string) => (
    <Field label={label}>
      <input
        role="spinbutton"
        class="number"
        maxlength={16}
        spellcheck={false}
        autocomplete="off"
        title={strings.timeHint}
        aria-valuenow={line[name]}
        aria-valuetext={shown(line[name])}
        value={typed[name] ?? shown(line[name])}
        aria-invalid={refusal !== '' && name in typed}
        onInput={(event: Event) => setTyped((now) => ({ ...now, [name]: fieldValue(event) }))}
        onChange={(event: Event) => store({ ...typed, [name]: fieldValue(event) })}
        onKeyDown={press(name)}
      />
    </Field>
  )
  return (
    <>
      <div class="pair row">
        {field('start', strings.startsAt)}
        {field('end', strings.endsAt)}
      </div>
      {refusal && (
        <p ref={said} class="warn-text" role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

export function LineDetails({
  line,
  duration,
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
  /** seconds of the film */
  duration: number
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
        <Times line={line} duration={duration} onEdit={onEdit} />
      </div>
    </section>
  )
}
