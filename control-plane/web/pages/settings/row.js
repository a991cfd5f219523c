// @ts-check
// One setting: its words, its control, and the result of the last change.
import { messageOf } from '../../lib/api.js'
import { fieldValue } from '../../lib/controls.js'
import { html, useEffect, useId, useRef, useState } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { kindOf, settingValue, store, titleOf } from './sections.js'
import { strings } from './strings.js'

/** @import { SettingRow } from '../../lib/api-types.ts' */
/** @import { Row } from './sections.js' */

const UNDO_MS = 10_000

/** @typedef {{ row: Row, setting: SettingRow, value: unknown, labelId: string, helpId: string, isLocked: boolean, onChange: (value: unknown) => void }} ControlProps */

/** @param {ControlProps} props */
const Switch = ({ value, labelId, helpId, isLocked, onChange }) =>
  html`<input type="checkbox" role="switch" class="switch" aria-labelledby=${labelId} aria-describedby=${helpId} checked=${value === true} disabled=${isLocked}
    onChange=${(/** @type {Event} */ { target }) => onChange(/** @type {HTMLInputElement} */ (target).checked)} />`

/** @param {ControlProps} props */
const Choice = ({ setting, value, labelId, helpId, isLocked, onChange }) =>
  html`<select aria-labelledby=${labelId} aria-describedby=${helpId} disabled=${isLocked} value=${String(value)}
    onChange=${(/** @type {Event} */ event) => onChange(fieldValue(event))}>
    ${setting.form.choices.map((one) => html`<option key=${one} value=${one}>${strings.choices[/** @type {keyof typeof strings.choices} */ (one)] ?? one}</option>`)}</select>`

/** What is typed and not stored yet. The page is drawn again at any time, which would replace it by the stored value. */
function useTyped(/** @type {unknown} */ value) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null))
  return {
    text: typed ?? value ?? '',
    type: (/** @type {Event} */ event) => setTyped(fieldValue(event)),
    forget: () => setTyped(null),
  }
}

/** @param {ControlProps} props */
function Figure({ setting, value, labelId, helpId, isLocked, onChange }) {
  const { text, type, forget } = useTyped(value)
  const change = (/** @type {Event} */ { currentTarget }) => {
    const input = /** @type {HTMLInputElement} */ (currentTarget)
    if (!input.reportValidity()) return
    onChange(input.value === '' ? null : Number(input.value))
    forget()
  }
  const { least, most, is_whole, is_optional } = setting.form
  return html`<input type="number" inputmode=${is_whole ? 'numeric' : 'decimal'} min=${least} max=${most} step=${is_whole ? '1' : 'any'} required=${!is_optional} aria-labelledby=${labelId} aria-describedby=${helpId}
    disabled=${isLocked} value=${text} placeholder=${is_optional ? strings.automatic : ''} onInput=${type} onChange=${change} />`
}

/** @param {ControlProps} props */
function Line({ setting, value, labelId, helpId, isLocked, onChange }) {
  const { text, type, forget } = useTyped(value)
  const change = (/** @type {Event} */ event) => {
    onChange(fieldValue(event).trim())
    forget()
  }
  return html`<input type="text" dir="auto" maxlength=${setting.form.longest} autocomplete="off" spellcheck=${false} aria-labelledby=${labelId} aria-describedby=${helpId}
    disabled=${isLocked} value=${text} onInput=${type} onChange=${change} />`
}

/** A value that is stored and never shown. @param {ControlProps} props */
function Hidden({ row, setting, labelId, helpId, isLocked, onChange }) {
  const [text, setText] = useState('')
  const title = titleOf(row, setting)
  const save = (/** @type {Event} */ event) => {
    event.preventDefault()
    if (text.trim() === '') return
    onChange(text.trim())
    setText('')
  }
  return html`<form class="row hidden-value" onSubmit=${save}>
    <input type="password" autocomplete="off" maxlength=${setting.form.longest} aria-labelledby=${labelId} aria-describedby=${helpId} disabled=${isLocked} value=${text}
      placeholder=${setting.is_set ? strings.isSet : strings.notSet} onInput=${(/** @type {Event} */ event) => setText(fieldValue(event))} />
    ${text !== '' && html`<button>${strings.save}</button>`}
    ${setting.is_set && !isLocked && text === '' && html`<button type="button" class="quiet" aria-label=${strings.clearOf(title)} onClick=${() => onChange('')}>${strings.clear}</button>`}
  </form>`
}

const CONTROLS = { switch: Switch, choice: Choice, number: Figure, text: Line, secret: Hidden }

/** @param {{ row: Row, setting: SettingRow | undefined, isFound: boolean, onStored: (row: Row, isStored: boolean) => Promise<unknown> }} props */
export function SettingView({ row, setting, isFound, onStored }) {
  const [{ state, error, before, pending }, set] = useState({
    state: /** @type {'' | 'saving' | 'saved'} */ (''),
    error: '',
    before: /** @type {unknown} */ (undefined),
    /** What is being saved. */
    pending: /** @type {unknown} */ (undefined),
  })
  const labelId = useId()
  const helpId = useId()
  const place = useRef(/** @type {HTMLElement | null} */ (null))
  useEffect(() => {
    if (isFound) place.current?.scrollIntoView({ block: 'center' })
  }, [isFound])
  useEffect(() => {
    if (state !== 'saved') return
    const timer = setTimeout(() => set((now) => ({ ...now, state: '' })), UNDO_MS)
    return () => clearTimeout(timer)
  }, [state, before])
  // A setting of another version of the studio.
  if (!setting) return null
  const change = async (/** @type {unknown} */ value, /** @type {unknown} */ earlier = settingValue(row, setting)) => {
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
  const [title, help, kind] = [titleOf(row, setting), strings.rows[row.id], kindOf(row, setting)]
  const isLocked = setting.source === 'environment' || state === 'saving'
  const initial = settingValue(row, { ...setting, value: setting.default })
  const isChanged = kind !== 'secret' && setting.source === 'stored' && settingValue(row, setting) !== initial
  return html`<div ref=${place} class=${isFound ? 'setting found' : 'setting'} data-setting=${row.id}>
    <div class="about-setting"><span id=${labelId} class="label">${title}</span><small id=${helpId}>${help}${row.needsRestart && ` ${strings.afterRestart}`}</small>
      ${setting.source === 'environment' && html`<small class="state"><${Icon} of="lock" />${strings.pinned}</small>`}
      ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    </div>
    <div class="control">
      <${CONTROLS[kind]} row=${row} setting=${setting} value=${state === 'saving' ? pending : settingValue(row, setting)} labelId=${labelId} helpId=${helpId} isLocked=${isLocked} onChange=${change} />
      <small class="row became" role="status">${state === 'saved' && html`${strings.saved} ${kind !== 'secret' && html`<button type="button" class="quiet" aria-label=${strings.undoOf(title)} onClick=${() => change(before, settingValue(row, setting))}>${strings.undo}</button>`}`}</small>
      ${state === '' && isChanged && html`<button type="button" class="quiet" aria-label=${strings.resetOf(title)} onClick=${() => change(initial)}>${strings.reset}</button>`}
    </div>
  </div>`
}
