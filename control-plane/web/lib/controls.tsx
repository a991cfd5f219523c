// Controls that every page uses. Each is a native element with a class, so keyboard and screen reader support come with it.

import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes, TargetedToggleEvent } from 'preact'
import { strings } from '#messages/shared.ts'
import { messageOf } from './api.ts'
import { useCallback, useEffect, useRef, useState } from './html.ts'
import { notify } from './notices.ts'

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet'

type ActionProps = {
  onPress: () => unknown
  children?: ComponentChildren
  kind?: string
  disabled?: boolean
} & Pick<ButtonHTMLAttributes, 'aria-label' | 'aria-pressed' | 'title' | 'tabindex'>

/** A button for an asynchronous action: busy and disabled while it runs; a failure becomes a notice. */
export function Action({ onPress, children, kind = 'plain', disabled = false, ...rest }: ActionProps) {
  const [busy, setBusy] = useState(false)
  const press = useCallback(async () => {
    setBusy(true)
    try {
      await onPress()
    } catch (error) {
      notify(messageOf(error), 'error')
    } finally {
      setBusy(false)
    }
  }, [onPress])
  return (
    <button type="button" class={kind} disabled={busy || disabled} aria-busy={busy} onClick={press} {...rest}>
      {children}
    </button>
  )
}

/** A state as a word; the colour repeats it. */
export const Badge = ({ tone = 'quiet', children }: { tone?: Tone; children?: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** `look`: `chip` shows the name and the control in one line. */
export const Field = ({
  label,
  hint,
  look = '',
  children,
}: {
  label: string
  hint?: string
  look?: string
  children?: ComponentChildren
}) => (
  <label class={`field ${look}`}>
    <span>{label}</span>
    {children}
    {hint && <small>{hint}</small>}
  </label>
)

/** `value`: 0 to 1, null while unknown */
export const Progress = ({ value, label }: { value: number | null; label: string }) => (
  <progress max={1} value={value ?? undefined} aria-label={label}></progress>
)

/** Level of a microphone, 0 to 1. */
export const LevelMeter = ({ level, label }: { level: number; label: string }) => (
  <span class="level" role="meter" aria-label={label} aria-valuenow={Math.round(level * 100)}>
    <span style={{ inlineSize: `${level * 100}%` }}></span>
  </span>
)

/** A form that keeps a refusal in view until the next try. `extra` is drawn beside its button. */
export function Form({
  onSend,
  send,
  children,
  extra,
  kind = 'main',
  disabled = false,
}: {
  onSend: () => Promise<void>
  send: string
  children?: ComponentChildren
  extra?: ComponentChildren
  kind?: string
  disabled?: boolean
}) {
  const [{ busy, error }, set] = useState({ busy: false, error: '' })
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    set({ busy: true, error: '' })
    try {
      await onSend()
      set({ busy: false, error: '' })
    } catch (failure) {
      set({ busy: false, error: messageOf(failure) })
    }
  }
  return (
    <form class="fields" onSubmit={submit}>
      {children}
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      <div class="row">
        <button type="submit" class={kind} disabled={busy || disabled} aria-busy={busy}>
          {send}
        </button>
        {extra}
      </div>
    </form>
  )
}

/** A button that opens a small window below it. The browser closes it with Escape or a press beside it, and returns the focus. */
export function Popover({
  id,
  label,
  title = label,
  kind = '',
  face,
  look = '',
  onToggle,
  children,
}: {
  id: string
  /** name of the button and of the window */
  label: string
  /** the window, where its name is another one */
  title?: string
  /** classes of the button */
  kind?: string
  /** content of the button */
  face: ComponentChildren
  /** classes of the window */
  look?: string
  onToggle?: (isOpen: boolean) => void
  children?: ComponentChildren
}) {
  const place = useRef<HTMLElement | null>(null)
  // A press on a link or a choice ends the question that the window asks.
  const press = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('[data-close]')) place.current?.hidePopover()
  }
  const toggled = (event: TargetedToggleEvent<HTMLElement>) => onToggle?.(event.newState === 'open')
  return (
    <>
      <button type="button" class={kind} aria-label={label} title={label} popovertarget={id}>
        {face}
      </button>
      <section ref={place} id={id} class={`popover ${look}`} popover="auto" aria-label={title} onToggle={toggled} onClick={press}>
        {children}
      </section>
    </>
  )
}

/** A modal dialog. Returns the focus to where it was when it closes. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children?: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement | null>(null)
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      // The opening control may be gone: an approved machine has no Approve button.
      const target = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('main')
      target?.focus()
    }
  }, [])
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label={strings.close} onClick={() => ref.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}

/** Asks before an action that cannot be undone. */
export function Confirm({
  title,
  children,
  action,
  keep = strings.cancel,
  onYes,
  onClose,
}: {
  title: string
  children?: ComponentChildren
  action: string
  keep?: string
  onYes: () => unknown
  onClose: () => void
}) {
  const confirm = async () => {
    await onYes()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <footer>
        <button type="button" onClick={onClose}>
          {keep}
        </button>
        <Action kind="danger" onPress={confirm}>
          {action}
        </Action>
      </footer>
    </Dialog>
  )
}

/** Throws when the browser refuses. */
export async function copyText(text: string) {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {}
  // Over plain HTTP there is no clipboard for pages; what is selected can be copied.
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'hidden'
  field.value = text
  // What is outside of a modal dialog can't be selected.
  const place = before?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error(strings.copyRefused)
}

/** Finds rows of a list by words. `look`: classes beside `find` */
export const FindField = ({
  value,
  label,
  look = '',
  onFind,
  ...rest
}: {
  value: string
  label: string
  look?: string
  onFind: (text: string) => void
} & Pick<InputHTMLAttributes, 'maxLength' | 'title'>) => (
  <input
    type="search"
    class={look === '' ? 'find' : `find ${look}`}
    {...rest}
    value={value}
    placeholder={label}
    aria-label={label}
    onInput={(event: Event) => onFind(fieldValue(event))}
  />
)

/** The value of the field that an event comes from. */
export function fieldValue({ target }: Event) {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement)
    return target.value
  throw new TypeError('the event does not come from a field')
}
