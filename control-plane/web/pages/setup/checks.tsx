// The checks of this machine, and what to do about those that did not pass.

import type { PreflightReply } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge } from '#control-plane/web/lib/controls.tsx'
import { strings } from '#messages/start/setup.ts'
import { summaryOf } from './state.ts'

const TONES: Record<PreflightReply['checks'][number]['status'], Tone> = { pass: 'good', warn: 'warn', fail: 'bad' }

export function Checks({
  preflight,
  error,
  reading,
  onAgain,
}: {
  preflight: PreflightReply | null
  error: string
  reading: boolean
  onAgain: () => Promise<void>
}) {
  return (
    <section class="sheet" aria-label={strings.checks} aria-busy={reading}>
      <div class="row">
        <h2>{strings.checks}</h2>
        <span class="spread"></span>
        <Action onPress={onAgain}>{strings.checkAgain}</Action>
      </div>
      {error && (
        <p class="callout bad" role="alert">
          {error}
        </p>
      )}
      {!preflight && !error && <p class="empty">{strings.checking}</p>}
      {preflight && <p>{summaryOf(preflight.checks)}</p>}
      <dl class="now">
        {preflight?.checks.map(({ id, label, status, detail, fix }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>
              <Badge tone={TONES[status]}>{strings.checkStates[status]}</Badge> <span class="text">{detail}</span>
              {fix && (
                <>
                  <br />
                  <small class="text">{fix}</small>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
