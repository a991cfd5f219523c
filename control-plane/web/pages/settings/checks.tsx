// The self-check: what works, what could be better, and what to do about it.
import { get, messageOf, post } from '#control-plane/web/lib/api.ts'
import type { SelfCheckReport } from '#control-plane/web/lib/api-types.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { checkText, serverSentence } from '#control-plane/web/lib/server-texts.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.doctor
/** Worst first. */
const STATES: readonly { status: SelfCheckReport['checks'][number]['status']; icon: IconName; tone: string }[] = [
  { status: 'fail', icon: 'failed', tone: 'bad' },
  { status: 'warn', icon: 'warning', tone: 'warn' },
  { status: 'ok', icon: 'check', tone: 'good' },
]
/** Addresses at which a check is put right. */
const PLACES: Readonly<Record<string, string>> = {
  hf_token: '#/settings/engines?row=hub.token',
  network: '#/settings/engines?row=hub.mirror',
  ffmpeg: '#/setup',
  engines: '#/models',
  disk: '#/settings/storage',
  gpu_routing: '#/settings/engines',
}

export function Checks() {
  const [{ report, error, isBusy }, set] = useState({ report: null as SelfCheckReport | null, error: '', isBusy: true })
  const check = async (isDeep = false) => {
    set((now) => ({ ...now, isBusy: true, error: '' }))
    try {
      set({ report: await get(`/system/diagnose?network=true&deep=${isDeep}`), error: '', isBusy: false })
    } catch (failure) {
      set((now) => ({ ...now, isBusy: false, error: messageOf(failure) }))
    }
  }
  useEffect(() => void check(), [])
  const bundle = async () => notify(words.bundleAt((await post('/system/diagnostic-bundle', {})).path))
  return (
    <div aria-busy={isBusy}>
      <p class="row" role="status">
        <b>{report ? words.summary(report.summary.failures, report.summary.warnings) : shared.loading}</b>
      </p>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      <ul class="checks doctor">
        {STATES.flatMap(({ status, icon, tone }) =>
          (report?.checks ?? [])
            .filter((one) => one.status === status)
            .map(({ id, label, detail, hint }) => ({
              id,
              label: checkText(id) ?? label,
              detail: serverSentence(detail),
              hint: hint && serverSentence(hint),
            }))
            .map(({ id, label, detail, hint }) => (
              <li key={id} class={tone}>
                <Icon of={icon} />
                <span class="grow">
                  <b>{label}</b> <span class="hidden">{words.states[status]}</span>
                  <small class="text">
                    {detail}
                    {hint && ` ${hint}`}
                  </small>
                </span>
                {status !== 'ok' && PLACES[id] && (
                  <a class="button" href={PLACES[id]} aria-label={words.fixOf(label)}>
                    {words.fix}
                  </a>
                )}
              </li>
            )),
        )}
      </ul>
      <div class="row">
        <Action disabled={isBusy} onPress={() => check()}>
          {words.again}
        </Action>
        <Action disabled={isBusy} onPress={() => check(true)}>
          {words.deep}
        </Action>
        <Action onPress={bundle}>{words.bundle}</Action>
      </div>
    </div>
  )
}
