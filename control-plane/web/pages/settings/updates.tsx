// The newest look for a new version, and the way to update.
import { useEffect } from '#control-plane/web/lib/html.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.updates

export function Updates({ settings }: { settings: unknown }) {
  const { value, error, again } = useRead('/system/updates')
  useEffect(() => void again(), [settings])
  if (error)
    return (
      <p class="callout bad text" role="alert">
        {error}
      </p>
    )
  if (!value) return null
  const { state, newest, command } = value
  return (
    <div role="status">
      <p>{state === 'newer' ? words.newer(newest ?? '') : words.states[state]}</p>
      {state === 'newer' && <p class="soft">{command === null ? words.image : words.how}</p>}
      {state === 'newer' && command !== null && (
        <pre class="code" tabindex={0}>
          {command}
        </pre>
      )}
    </div>
  )
}
