// Suggestions for a better studio: at most three, each with a verb. Pure.
import type { Gets, MachineView, NeedEntry, PreflightReply } from '#control-plane/web/lib/api-types.ts'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { checkText, serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings as words } from '#messages/needs.ts'
import { strings } from '#messages/start/home.ts'

type Notification = Gets['/system/notifications']['notifications'][number]

/** seen: where it is marked as seen, '' for what stays as long as its cause. */
export type Suggestion = {
  id: string
  text: string
  detail: string
  verb: string
  href: string
  isFailure: boolean
  seen?: ReturnType<typeof seenAt>
}

const SHOWN = 3

/** Notifications about what the checks below, or the page that needs it, say too. */
const SAID_ELSEWHERE = new Set(['ffmpeg-missing', 'gpu-unavailable', 'disk-low', 'hf-token-missing'])

const NEWER_VERSION = 'update-available'
/** Pages on which the cause of a notice can be removed. */
const NOTICE_PAGES: Readonly<Record<string, string>> = {
  'settings-invalid': '#/settings',
  'proxy-unusable': '#/settings',
  [NEWER_VERSION]: '#/settings/about',
  'takes-missing': '#/settings/general',
  'backup-failed': '#/settings/storage',
  'backup-old': '#/settings/storage',
}

const LAST_RUN = 'last-run-crash'

/** `id`: of a notification */
const seenAt = (id: string) =>
  id.startsWith(LAST_RUN) ? '/system/last-run-crash/ack' : id === 'crash-last-session' ? '/system/crash/ack' : ''

export function suggestionsOf(
  preflight: PreflightReply | null,
  machines: readonly MachineView[],
  notifications: readonly Notification[],
  needs: readonly NeedEntry[] = [],
): Suggestion[] {
  const news = notifications
    .filter(({ id, level }) => (level !== 'info' || id === NEWER_VERSION) && !SAID_ELSEWHERE.has(id))
    .map(({ id, level, title, message }) => ({
      id,
      text: serverSentence(title),
      // The message of the interface names the last activity by its id.
      detail: id.startsWith(LAST_RUN) ? strings.crashed : serverSentence(message),
      verb: strings.show,
      href: NOTICE_PAGES[id] ?? '#/settings/doctor',
      isFailure: level === 'error',
      seen: seenAt(id),
    }))
  const approvals = machines
    .filter(({ consent_granted: isApproved }) => !isApproved)
    .map(({ id, name }) => ({
      id,
      text: strings.needsApproval(isolated(short(name, 40))),
      detail: '',
      verb: strings.review,
      href: '#/machines',
      isFailure: false,
    }))
  const models = needs
    .filter((need) => need.for === 'speech')
    .map((need) => ({
      id: 'natural-speech',
      text: words.missing[need.for],
      detail: '',
      verb: words.install,
      href: '#/setup',
      isFailure: false,
    }))
  const checks = (preflight?.checks ?? [])
    .filter(({ status }) => status !== 'pass')
    .sort((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
    .map(({ id, label, detail, status }) => ({
      id,
      text: checkText(id) ?? label,
      detail: serverSentence(detail),
      verb: strings.show,
      href: '#/setup',
      isFailure: status === 'fail',
    }))
  return [...news, ...approvals, ...models, ...checks].slice(0, SHOWN)
}
