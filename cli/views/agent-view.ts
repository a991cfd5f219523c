// The state of the agent as lines for a terminal.

import type { InboundView, LendingView, SpaceView } from '#shared/protocol/agent-control.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { relativeTime } from './relative-time.ts'

export const EXPOSED_WARNING = 'Other machines can reach this port. A connection string is required to use this machine.'

/** Lines about whether this machine lends, and to which studio. */
export function lendingLines(view: LendingView): string[] {
  const source = view.pinned ? ' (set by STUDIO_WORKER_MODE)' : ''
  const error = view.last_error === '' ? [] : [`Last error: ${view.last_error}`]
  if (!view.enrolled) return [`Lending: not joined. Join a studio with ${AGENT_COMMAND} join CODE.`, ...error]
  const lines = [`Studio: ${view.studio_name || 'unnamed'} at ${view.endpoint}`, `This machine: ${view.worker_id}`]
  if (!view.enabled) return [`Lending: off${source}. Turn it on with ${AGENT_COMMAND} lend on.`, ...lines, ...error]
  return [`Lending: ${stateOf(view)}${source}`, ...lines, `Tasks: ${view.held}`, ...(view.connected ? [] : error)]
}

function stateOf({ draining, connected, approved, studio_name }: LendingView): string {
  if (draining) return 'finishing its tasks'
  if (!connected) return 'connecting'
  return approved === false ? `connected, waiting for approval in studio ${studio_name || 'unnamed'}` : 'connected'
}

/** Disk space that other studios use for models. */
export function spaceLines({ limit_bytes, share_bytes, used_bytes, chosen, files_bytes }: SpaceView): string[] {
  const files =
    files_bytes === 0
      ? []
      : [`Studios may send files of models, ${shortBytes(files_bytes)} at a time. They are verified against no publisher.`]
  if (limit_bytes === null) return [`Models of other studios: ${shortBytes(used_bytes)}`, ...files]
  const reason = chosen ? '' : ' (half of the free space)'
  const share = share_bytes === null || share_bytes === limit_bytes ? '' : `, at most ${shortBytes(share_bytes)} for each studio`
  return [`Models of other studios: ${shortBytes(used_bytes)} of at most ${shortBytes(limit_bytes)}${reason}${share}`, ...files]
}

/** Lines about listening for other studios, and about those that are connected. `now` in epoch seconds. */
export function listeningLines(view: InboundView, now: number): string[] {
  const at = `${view.bind.includes(':') ? `[${view.bind}]` : view.bind}:${view.port}`
  const error = view.startup_error === null ? [] : [`Listening failed: ${view.startup_error}`]
  if (!view.running) return [`Listening: off${view.enabled ? '' : `. Turn it on with ${AGENT_COMMAND} listen.`}`, ...error]
  const reach = view.exposed ? 'reachable from other machines' : 'this machine only'
  return [
    `Listening: on ${at} (${reach})`,
    ...view.sessions.map(
      ({ label, peer, connected_at, tasks_run }) =>
        `  ${label} from ${peer}, connected ${relativeTime(connected_at, now)}, ${tasks_run} task${tasks_run === 1 ? '' : 's'} run`,
    ),
    ...error,
  ]
}

/** One line for each connection string. `now` in epoch seconds. */
export function keyLines(keys: InboundView['keys'], sessions: InboundView['sessions'], now: number): string[] {
  if (keys.length === 0) return [`No connection strings yet. Create one with ${AGENT_COMMAND} keys add NAME.`]
  const width = Math.max(...keys.map(({ label }) => label.length))
  return keys.map(({ key_id: id, label, created_at, last_seen_at, last_seen_peer, revoked, worker_id }) => {
    const isConnected = sessions.some((session) => session.key_id === id)
    const lastUse = last_seen_at === 0 ? 'never connected' : `last connected ${relativeTime(last_seen_at, now)} from ${last_seen_peer}`
    const state = revoked ? 'revoked' : isConnected ? 'connected' : worker_id === '' ? 'not used yet' : lastUse
    return `${id}  ${label.padEnd(width)}  created ${relativeTime(created_at, now)}, ${state}`
  })
}
