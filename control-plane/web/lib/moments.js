// @ts-check
// Text that changes by itself, and text of any length.
import { ago, timeLeft } from './format.js'
import { html, useEffect, useState } from './html.js'
import { strings } from './strings.js'

const LONG_CHARS = 400

/** Redraws the component once a second. */
export function useTick() {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
}

/** @param {{ at: number | null }} props epoch seconds */
export function Since({ at }) {
  useTick()
  return html`<span>${ago(at)}</span>`
}

/** Time left until `to` (epoch seconds), or `over` when none is left. @param {{ to: number, over: string }} props */
export function Countdown({ to, over }) {
  useTick()
  const left = Math.ceil(to - Date.now() / 1000)
  return html`<span>${left > 0 ? timeLeft(left) : over}</span>`
}

/** The beginning of a long text, and all of it on request. @param {{ text: string }} props */
export function Long({ text }) {
  if (text.length <= LONG_CHARS) return html`<span class="text">${text}</span>`
  return html`<details class="long"><summary><span class="text">${text.slice(0, LONG_CHARS / 2)}…</span>${strings.allCharacters(text.length)}</summary>
    <div class="text all" tabindex="0" role="region" aria-label=${strings.wholeText}>${text}</div></details>`
}
