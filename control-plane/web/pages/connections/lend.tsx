// Lending this machine: to which studio, whether it is connected, and joining a studio with its code.
import { post } from '#control-plane/web/lib/api.ts'
import type { LendingState } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/machines/connections.ts'

const words = strings.lend
const EVERY_MS = 4000

/** Returns tone, state, sentence */
function summaryOf(view: LendingState | null): [Tone, string, string] {
  const { states } = words
  if (!view) return ['quiet', states.unknown, '']
  if (!view.enrolled) return ['quiet', states.none, words.none]
  const studio = words.studioAt(view.studio_name, view.endpoint)
  if (!view.worker_mode) return ['quiet', states.off, words.off(studio)]
  if (view.draining) return ['warn', states.finishing, words.finishing(studio, view.held)]
  if (view.running) return ['good', states.lending, words.lending(studio, view.held)]
  return ['warn', states.searching, words.searching(studio)]
}

export function Lend() {
  const { value: view, error, reload } = usePolled('/workers/agent', EVERY_MS)
  const [code, setCode] = useState('')
  const join = async () => {
    try {
      await post('/workers/agent/join', { token: code.trim() })
      setCode('')
      notify(words.joined)
    } finally {
      await reload()
    }
  }
  const lend = async (enabled: boolean) => {
    await post('/workers/agent/enabled', { enabled })
    notify(enabled ? words.started : words.stopped)
    await reload()
  }
  const [tone, state, sentence] = summaryOf(view)
  return (
    <section class="sheet" id="lend" tabindex={-1} aria-label={words.title}>
      <div class="row">
        <h2>{words.title}</h2>
        <Badge tone={tone}>{state}</Badge>
      </div>
      {error && <p class="callout bad text">{error}</p>}
      {sentence && <p class="text">{sentence}</p>}
      {view?.enrolled && !view.running && view.last_error !== '' && <p class="callout text">{words.lastError(view.last_error)}</p>}
      {view?.env_pinned && <p class="soft">{words.pinned}</p>}
      {view?.enrolled && (
        <div class="row">
          <Action disabled={view.env_pinned} onPress={() => lend(!view.worker_mode)}>
            {view.worker_mode ? words.stop : words.start}
          </Action>
        </div>
      )}
      <Form onSend={join} send={view?.enrolled ? words.joinAnother : words.join} kind="plain" disabled={code.trim() === ''}>
        <Field label={words.code} hint={words.codeHint}>
          <input
            value={code}
            maxlength={4096}
            placeholder="svcj_…"
            autocomplete="off"
            spellcheck={false}
            onInput={(event: Event) => setCode(fieldValue(event))}
          />
        </Field>
      </Form>
    </section>
  )
}
