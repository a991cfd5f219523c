// The authority that signs the certificates of the machines: its fingerprint to compare, and replacing it step by step.
import { post } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Action, Badge, Confirm } from '#control-plane/web/lib/controls.tsx'
import { exact } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/machines/machine-views.ts'
import { strings as shared } from '#messages/shared.ts'
import { LOCAL } from './state.ts'

export type Authority = Gets['/workers/authority']
export type Step = 'prepare' | 'activate' | 'retire'

const words = strings.security
const EVERY_MS = 4000
const NEXT: Readonly<Record<Authority['phase'], Step>> = { steady: 'prepare', prepared: 'activate', activated: 'retire' }

const Print = ({ name, text }: { name: string; text: string | null }) =>
  text !== null && (
    <div>
      <dt>{name}</dt>
      <dd class="mono text">{text}</dd>
    </div>
  )

const Named = ({ title, machines }: { title: string; machines: Authority['behind'] }) =>
  machines.length > 0 && (
    <section>
      <h3 class="spaced">{title}</h3>
      <ul class="plain">
        {machines.map(({ id, name }) => (
          <li key={id} class="text">
            {id === LOCAL ? shared.thisMachine : name || id}
          </li>
        ))}
      </ul>
    </section>
  )

export function Security() {
  const { value: view, error, reload } = usePolled('/workers/authority', EVERY_MS)
  const [asking, setAsking] = useState<Step | null>(null)
  if (!view) return <p class={error ? 'callout bad' : 'empty'}>{error || shared.loading}</p>
  const step = NEXT[view.phase]
  const take = async (one: Step) => {
    try {
      await post('/workers/authority', { step: one })
      notify(words.done[one])
    } finally {
      await reload()
    }
  }
  return (
    <section class="sheet" aria-label={words.title}>
      <div class="row">
        <h2>{words.title}</h2>
        <Badge tone={view.phase === 'steady' ? 'good' : 'warn'}>{words.phases[view.phase]}</Badge>
      </div>
      <p class="soft">{words.intro}</p>
      {error && <p class="callout bad text">{error}</p>}
      <dl class="facts">
        <Print name={words.fingerprint} text={view.fingerprint} />
        <Print name={words.next} text={view.next_fingerprint} />
        <Print name={words.previous} text={view.previous_fingerprint} />
        <div>
          <dt>{words.validUntil}</dt>
          <dd>{exact(view.expires_at).slice(0, 10)}</dd>
        </div>
      </dl>
      <Named title={words.behind} machines={view.behind} />
      <Named title={words.mustJoinAgain} machines={view.must_join_again} />
      <h3 class="spaced">{words.replace}</h3>
      <p>{words.steps[step]}</p>
      <div class="row">
        {step === 'retire' ? (
          <button type="button" class="danger" onClick={() => setAsking(step)}>
            {words.actions[step]}
          </button>
        ) : (
          <Action onPress={() => take(step)}>{words.actions[step]}</Action>
        )}
      </div>
      {asking !== null && (
        <Confirm title={words.retireTitle} action={words.retireYes} onClose={() => setAsking(null)} onYes={() => take(asking)}>
          <p>{words.retireWarning}</p>
        </Confirm>
      )}
    </section>
  )
}
