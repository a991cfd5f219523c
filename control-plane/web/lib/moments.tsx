// Text that changes by itself, and text of any length.

import { strings } from '#messages/shared.ts'
import { ago, timeLeft } from './format.ts'
import { useEffect, useState } from './html.ts'

const LONG_CHARS = 400

/** Redraws the component once a second. */
export function useTick() {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
}

/** epoch seconds */
export function Since({ at }: { at: number | null }) {
  useTick()
  return <span>{ago(at)}</span>
}

/** Time left until `to` (epoch seconds), or `over` when none is left. */
export function Countdown({ to, over }: { to: number; over: string }) {
  useTick()
  const left = Math.ceil(to - Date.now() / 1000)
  return <span>{left > 0 ? timeLeft(left) : over}</span>
}

/** The beginning of a long text, and all of it on request. */
export function Long({ text }: { text: string }) {
  if (text.length <= LONG_CHARS) return <span class="text">{text}</span>
  return (
    <details class="long">
      <summary>
        <span class="text">{text.slice(0, LONG_CHARS / 2)}…</span>
        {strings.allCharacters(text.length)}
      </summary>
      <div class="text all" tabindex={0} role="region" aria-label={strings.wholeText}>
        {text}
      </div>
    </details>
  )
}
