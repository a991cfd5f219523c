// The tasks that people come for, whether each works at this moment, and what to do about the rest.
import { post } from '#control-plane/web/lib/api.ts'
import { Action, Badge } from '#control-plane/web/lib/controls.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/start/setup.ts'
import { type Found, rowsOf } from './state.ts'

/** Resolves when the default voice is loaded. Throws why it could not be loaded. */
async function preload() {
  await post('/setup/warmup?wait=true', {})
  notify(strings.preloaded)
}

export function WorksNow(found: Found) {
  const rows = rowsOf(found)
  return (
    <section class="sheet" aria-label={strings.status}>
      <div class="row">
        <h2>{strings.status}</h2>
        <span class="spread"></span>
        <Action onPress={preload}>{strings.preload}</Action>
        <a class="button main" href="#/speak">
          {strings.startSpeaking}
        </a>
      </div>
      {rows.length === 0 && <p class="empty">{shared.loading}</p>}
      <dl class="now">
        {rows.map(({ title, tone, state, detail }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <Badge tone={tone}>{state}</Badge> <span class="text">{detail}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
