// The newest lines of the studio's log.
import { get, messageOf, post } from '#control-plane/web/lib/api.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.log

export function LogLines() {
  const [{ lines, error }, set] = useState({ lines: null as readonly string[] | null, error: '' })
  const read = async () => {
    try {
      set({ lines: (await get('/system/logs?tail=200')).lines, error: '' })
    } catch (failure) {
      set((now) => ({ ...now, error: messageOf(failure) }))
    }
  }
  const clear = async () => {
    await post('/system/logs/clear', {})
    await read()
  }
  return (
    <>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {lines !== null && (
        <pre class="code log" tabindex={0} aria-label={words.lines}>
          {lines.length > 0 ? lines.join('') : words.empty}
        </pre>
      )}
      <div class="row">
        <Action onPress={read}>{lines === null ? words.show : words.again}</Action>
        {lines !== null && (
          <Action kind="quiet" onPress={clear}>
            {words.clear}
          </Action>
        )}
      </div>
    </>
  )
}
