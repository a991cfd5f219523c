// What the agent says of itself, in lines for a person who is tired.
import type { InboundView, LendingView } from '#shared/protocol/agent-control.ts'
import { ago } from './ago.ts'

export const exposedWarning = 'Others can reach this port. Only panels with a connection string get further than the door.'

export function lendingLines(view: LendingView): string[] {
  const from = view.pinned ? ' (STUDIO_WORKER_MODE decides)' : ''
  const error = view.last_error === '' ? [] : [`Last trouble: ${view.last_error}`]
  if (!view.enrolled) return ['Lends to nobody: it has joined no studio yet. Join one with: ./studio agent join CODE', ...error]
  const studio = `${view.studio_name || 'a studio'} at ${view.endpoint}, as ${view.worker_id}`
  if (!view.enabled) return [`Lending is off${from}. It has joined ${studio}. Switch it on with: ./studio agent lend on`, ...error]
  const state = view.draining ? 'Finishes what it holds for' : view.connected ? 'Lends to' : 'Is looking for'
  return [`${state} ${studio}${from}. Work held now: ${view.held}.`, ...(view.connected ? [] : error)]
}

export function listeningLines(view: InboundView, now: number): string[] {
  const at = `${view.bind.includes(':') ? `[${view.bind}]` : view.bind}:${view.port}`
  const trouble = view.startup_error === null ? [] : [`Cannot listen: ${view.startup_error}`]
  if (!view.running) return [`Listens for no panels${view.enabled ? '' : '; turn it on with: ./studio agent listen'}.`, ...trouble]
  const reach = view.exposed ? 'others can reach it' : 'this machine only'
  return [
    `Listens for panels on ${at} (${reach}).`,
    ...view.sessions.map(
      ({ label, peer, connected_at, tasks_run }) => `  ${label} from ${peer}, since ${ago(connected_at, now)}, tasks run: ${tasks_run}`,
    ),
    ...trouble,
  ]
}

export function keyLines(keys: InboundView['keys'], sessions: InboundView['sessions'], now: number): string[] {
  if (keys.length === 0) return ['Nobody has a connection string yet. Make one with: ./studio agent keys add NAME']
  const width = Math.max(...keys.map(({ label }) => label.length))
  return keys.map(({ key_id: id, label, created_at, last_seen_at, last_seen_peer, revoked, worker_id }) => {
    const isHere = sessions.some((session) => session.key_id === id)
    const seen = last_seen_at === 0 ? 'never seen' : `last seen ${ago(last_seen_at, now)} from ${last_seen_peer}`
    const state = revoked ? 'revoked' : isHere ? 'attached now' : worker_id === '' ? 'not used yet' : seen
    return `${id}  ${label.padEnd(width)}  made ${ago(created_at, now)}, ${state}`
  })
}
