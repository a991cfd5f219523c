// The worst fact about the studio, in words, with the page that can change it. Pure.
import type { Gets, MachineView, SelfCheckReport, StorageReport } from '#control-plane/web/lib/api-types.ts'
import { short } from '#control-plane/web/lib/format.ts'
import { checkText, serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings } from '#messages/system/health.ts'

export type Fact = { readonly text: string; readonly href: string; readonly isBad: boolean }
/** each null until it is read */
export type Known = {
  readonly notices: Gets['/system/notifications']['notifications'] | null
  readonly checks: SelfCheckReport['checks'] | null
  readonly storage: StorageReport | null
  readonly machines: readonly MachineView[]
  /** epoch seconds at which the authority of the machines expires */
  readonly expiresAt: number | null
}

const DAY = 86_400
/** The authority is replaced by a person. */
const SOON_DAYS = 30
/** Notices and checks of things that a studio may lack for good. */
const FINE_WITHOUT = ['hf-token-missing', 'hf_token']

const NOTICE_PAGES: Readonly<Record<string, string>> = {
  'ffmpeg-missing': '#/setup',
  'jobs-set-aside': '#/jobs?state=failed',
  'disk-low': '#/settings/storage',
  'takes-missing': '#/settings/general',
  'backup-failed': '#/settings/storage',
  'backup-old': '#/settings/storage',
}

export const daysUntil = (at: number, now: number) => Math.max(0, Math.floor((at - now) / DAY))

/** All that is not well, the worst first. `now`: epoch seconds */
export function factsOf({ notices, checks, storage, machines, expiresAt }: Known, now: number): Fact[] {
  const facts: Fact[] = []
  for (const { id, level, title } of notices ?? [])
    if (level !== 'info' && !FINE_WITHOUT.includes(id))
      facts.push({ text: serverSentence(title), href: NOTICE_PAGES[id] ?? '#/settings/doctor', isBad: level === 'error' })
  for (const { id, status, label, detail } of checks ?? [])
    if (status !== 'ok' && !FINE_WITHOUT.includes(id))
      facts.push({ text: `${checkText(id) ?? label}: ${serverSentence(detail)}`, href: '#/settings/doctor', isBad: status === 'fail' })
  for (const { severity, message } of storage?.warnings ?? [])
    facts.push({ text: serverSentence(message), href: '#/settings/storage', isBad: severity === 'critical' })
  for (const { id, name, quarantine, connected, stale, breakers } of machines) {
    const [href, shown] = [`#/machines/${encodeURIComponent(id)}`, short(name, 40)]
    if (quarantine !== null) facts.push({ text: strings.quarantined(shown), href, isBad: true })
    else if (connected && stale) facts.push({ text: strings.unresponsive(shown), href, isBad: false })
    else if (breakers.some(({ state }) => state === 'open')) facts.push({ text: strings.paused(shown), href, isBad: false })
  }
  if (expiresAt !== null && daysUntil(expiresAt, now) < SOON_DAYS)
    facts.push({ text: strings.expires(daysUntil(expiresAt, now)), href: '#/machines/security', isBad: false })
  return facts.sort((one, other) => Number(other.isBad) - Number(one.isBad))
}
