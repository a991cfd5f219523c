// One setting: its words, its control, and the result of the last change.
import { messageOf } from '#control-plane/web/lib/api.ts'
import type { SettingRow } from '#control-plane/web/lib/api-types.ts'
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useId, useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/system/settings.ts'
import type { Row } from './sections.ts'
import { kindOf, partOf, store } from './sections.ts'

const UNDO_MS = 10_000

export type ControlProps = {
  row: Row
  value: unknown
  labelId: string
  helpId: string
  isLocked: boolean
  onChange: (value: unknown) => void
}

const Switch = ({ value, labelId, helpId, isLocked, onChange }: ControlProps) => (
  <input
    type="checkbox"
    role="switch"
    class="switch"
    aria-labelledby={labelId}
    aria-describedby={helpId}
    checked={value === true}
    disabled={isLocked}
    onChange={({ target }: Event) => onChange((target as HTMLInputElement).checked)}
  />
)

const Choice = ({ row: { setting }, value, labelId, helpId, isLocked, onChange }: ControlProps) => (
  <select
    aria-labelledby={labelId}
    aria-describedby={helpId}
    disabled={isLocked}
    value={String(value)}
    onChange={(event: Event) => onChange(fieldValue(event))}
  >
    {setting.form.choices.map((one) => (
      <option key={one} value={one}>
        {strings.choices[one as keyof typeof strings.choices] ?? one}
      </option>
    ))}
  </select>
)

/** Text that is typed and not stored yet. The page is drawn again at any time, which would replace it by the stored value. */
function useTyped(value: unknown) {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    text: typed ?? String(value ?? ''),
    type: (event: Event) => setTyped(fieldValue(event)),
    forget: () => setTyped(null),
  }
}

function Figure({ row: { setting }, value, labelId, helpId, isLocked, onChange }: ControlProps) {
  const { text, type, forget } = useTyped(value)
  const change = ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement
    if (!input.reportValidity()) return
    onChange(input.value === '' ? null : Number(input.value))
    forget()
  }
  const { least, most, is_whole, is_optional } = setting.form
  return (
    <input
      type="number"
      inputmode={is_whole ? 'numeric' : 'decimal'}
      min={least ?? undefined}
      max={most ?? undefined}
      step={is_whole ? '1' : 'any'}
      required={!is_optional}
      aria-labelledby={labelId}
      aria-describedby={helpId}
      disabled={isLocked}
      value={text}
      placeholder={is_optional ? strings.automatic : ''}
      onInput={type}
      onChange={change}
    />
  )
}

function Line({ row: { setting }, value, labelId, helpId, isLocked, onChange }: ControlProps) {
  const { text, type, forget } = useTyped(value)
  const change = (event: Event) => {
    onChange(fieldValue(event).trim())
    forget()
  }
  return (
    <input
      type="text"
      dir="auto"
      maxlength={setting.form.longest ?? undefined}
      autocomplete="off"
      spellcheck={false}
      aria-labelledby={labelId}
      aria-describedby={helpId}
      disabled={isLocked}
      value={text}
      onInput={type}
      onChange={change}
    />
  )
}

/** A value that is stored and never shown. */
function Hidden({ row: { setting, title }, labelId, helpId, isLocked, onChange }: ControlProps) {
  const [text, setText] = useState('')
  const save = (event: Event) => {
    event.preventDefault()
    if (text.trim() === '') return
    onChange(text.trim())
    setText('')
  }
  return (
    <form class="row hidden-value" onSubmit={save}>
      <input
        type="password"
        autocomplete="off"
        maxlength={setting.form.longest ?? undefined}
        aria-labelledby={labelId}
        aria-describedby={helpId}
        disabled={isLocked}
        value={text}
        placeholder={setting.is_set ? strings.isSet : strings.notSet}
        onInput={(event: Event) => setText(fieldValue(event))}
      />
      {text !== '' && <button type="submit">{strings.save}</button>}
      {setting.is_set && !isLocked && text === '' && (
        <button type="button" class="quiet" aria-label={strings.clearOf(title)} onClick={() => onChange('')}>
          {strings.clear}
        </button>
      )}
    </form>
  )
}

const CONTROLS = { switch: Switch, choice: Choice, number: Figure, text: Line, secret: Hidden }

/** The reason why the visitor cannot change a setting. */
export const Locked = ({ setting: { source, may_change: mayChange } }: { setting: SettingRow }) =>
  mayChange && source !== 'environment' ? null : (
    <small class="state">
      <Icon of="lock" />
      {mayChange ? strings.pinned : strings.ownOnly}
    </small>
  )

export function SettingView({
  row,
  isFound,
  onStored,
}: {
  row: Row
  isFound: boolean
  onStored: (row: Row, isStored: boolean) => Promise<unknown>
}) {
  const { setting, title, help } = row
  const [{ state, error, before, pending }, set] = useState({
    state: '' as '' | 'saving' | 'saved',
    error: '',
    before: undefined as unknown,
    /** Value that is being saved. */
    pending: undefined as unknown,
  })
  const labelId = useId()
  const helpId = useId()
  const place = useRef<HTMLDivElement | null>(null)
  useEffect(() => {
    if (isFound) place.current?.scrollIntoView({ block: 'center' })
  }, [isFound])
  useEffect(() => {
    if (state !== 'saved') return
    const timer = setTimeout(() => set((now) => ({ ...now, state: '' })), UNDO_MS)
    return () => clearTimeout(timer)
  }, [state, before])
  const change = async (value: unknown, earlier: unknown = partOf(row, setting.value)) => {
    set({ state: 'saving', error: '', before: earlier, pending: value })
    try {
      await store(row, value)
      await onStored(row, true)
      set({ state: 'saved', error: '', before: earlier, pending: undefined })
    } catch (failure) {
      // The control shows the stored value again.
      await onStored(row, false)
      set({ state: '', error: messageOf(failure), before: undefined, pending: undefined })
    }
  }
  const kind = kindOf(row)
  const Control = CONTROLS[kind]
  const isLocked = setting.source === 'environment' || state === 'saving' || !setting.may_change
  const initial = partOf(row, setting.default)
  const isChanged = kind !== 'secret' && setting.source === 'stored' && partOf(row, setting.value) !== initial
  return (
    <div ref={place} class={isFound ? 'setting found' : 'setting'} data-setting={row.id}>
      <div class="about-setting">
        <span id={labelId} class="label">
          {title}
        </span>
        <small id={helpId}>
          {help}
          {row.needsRestart && ` ${strings.afterRestart}`}
        </small>
        <Locked setting={setting} />
        {error && (
          <p class="callout bad text" role="alert">
            {error}
          </p>
        )}
      </div>
      <div class="control">
        <Control
          row={row}
          value={state === 'saving' ? pending : partOf(row, setting.value)}
          labelId={labelId}
          helpId={helpId}
          isLocked={isLocked}
          onChange={change}
        />
        <small class="row became" role="status">
          {state === 'saved' && (
            <>
              {strings.saved}{' '}
              {kind !== 'secret' && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={strings.undoOf(title)}
                  onClick={() => change(before, partOf(row, setting.value))}
                >
                  {strings.undo}
                </button>
              )}
            </>
          )}
        </small>
        {state === '' && isChanged && !isLocked && (
          <button type="button" class="quiet" aria-label={strings.resetOf(title)} onClick={() => change(initial)}>
            {strings.reset}
          </button>
        )}
      </div>
    </div>
  )
}
