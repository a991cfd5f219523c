// What the forms of the machines page share: sending with the refusal kept in sight, asking again and again, and moments that count.
import { get } from '../api.js'
import { html, useCallback, useEffect, useRef, useState } from '../html.js'
import { ago } from './basics.js'

const SOON_MS = 300

/** A form whose refusal stays in it until the next try. `extra` stands beside its button. */
export function Form({ onSend, send, children, extra, kind = 'main', disabled = false }) {
  const [{ busy, error }, set] = useState({ busy: false, error: '' })
  const submit = async (event) => {
    event.preventDefault()
    if (busy) return
    set({ busy: true, error: '' })
    try {
      await onSend()
      set({ busy: false, error: '' })
    } catch (failure) {
      set({ busy: false, error: failure.message })
    }
  }
  return html`<form class="fields" onSubmit=${submit}>
    ${children}
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    <div class="row"><button class=${kind} disabled=${busy || disabled} aria-busy=${busy}>${send}</button>${extra}</div>
  </form>`
}

/** The answer of a route, read again every `everyMs` while the page is looked at, and soon after `hint` has changed. */
export function usePolled(path, everyMs, hint) {
  const [state, set] = useState({ value: null, error: '' })
  const latest = useRef(0)
  const reload = useCallback(async () => {
    const turn = ++latest.current
    const next = await get(path).then(
      (value) => ({ value, error: '' }),
      (failure) => ({ error: failure.message }),
    )
    // An answer that was overtaken by a later question is no news.
    if (turn === latest.current) set((was) => ({ ...was, ...next }))
  }, [path])
  useEffect(() => {
    void reload()
    const timer = setInterval(() => document.hidden || void reload(), everyMs)
    return () => {
      latest.current++
      clearInterval(timer)
    }
  }, [reload, everyMs])
  useEffect(() => {
    const timer = setTimeout(reload, SOON_MS)
    return () => clearTimeout(timer)
  }, [hint])
  return { ...state, reload }
}

/** Draws whoever uses it once a second. */
export function useTick() {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
}

const LONG = 400
/** Text of any length: of a long one the beginning, and all of it when asked for. */
export function Long({ text }) {
  if (text.length <= LONG) return html`<span class="text">${text}</span>`
  return html`<details class="long"><summary><span class="text">${text.slice(0, LONG / 2)}…</span> (all ${text.length} characters)</summary>
    <div class="text all" tabindex="0" role="region" aria-label="The whole text">${text}</div></details>`
}

export function Since({ at }) {
  useTick()
  return html`<span>${ago(at)}</span>`
}

/** Time left until `to` (seconds since the epoch), and `over` when there is none. */
export function Countdown({ to, over }) {
  useTick()
  const left = Math.ceil(to - Date.now() / 1000)
  if (left <= 0) return html`<span>${over}</span>`
  const minutes = Math.floor(left / 60)
  return html`<span>${minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : minutes > 0 ? `${minutes} min ${left % 60} s` : `${left} s`}</span>`
}
