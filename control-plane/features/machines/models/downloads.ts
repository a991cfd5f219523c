// Broadcasts download events to all clients, one JSON document for each event. Earlier events are not kept.

import { createPlaces } from '#control-plane/clients/places.ts'
import type { InstallEventMessage } from '#shared/protocol/messages.ts'
import { createBroadcast } from '#shared/runtime/broadcast.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { DownloadEvent } from './download-events.schema.ts'

export type Downloads = ReturnType<typeof createDownloads>
const QUEUE = 512
export const CONNECTIONS_PER_CLIENT = 200
const KEEPALIVE_MS = 30_000

export function createDownloads({ clock }: { readonly clock: Clock }) {
  const places = createPlaces({ perClient: CONNECTIONS_PER_CLIENT, what: 'connections that follow downloads' })
  const broadcast = createBroadcast<DownloadEvent>({ clock, lines: QUEUE, keepaliveMs: KEEPALIVE_MS })
  /** By machine. Machines that the owner removed leave a number each. */
  const rates = new Map<string, number>()
  return {
    publish(event: DownloadEvent): void {
      if (event.phase === 'aggregate' && event.rate > 0) rates.set(event.target, event.rate)
      broadcast.publish(event, `data: ${JSON.stringify(event)}\n\n`)
    },
    /** Bytes a second of the last download to a machine; null before one. */
    rateOf: (target: string): number | null => rates.get(target) ?? null,
    /** Ends when the client disconnects. `target`: only events of this machine. Throws QUEUE_FULL for too many clients. */
    listen(target: string | null, signal: AbortSignal): AsyncGenerator<string> {
      return places.during(signal, () =>
        broadcast.subscribe([': connected\n\n'], (event) => target === null || target === event.target, signal),
      )
    },
    /** Ends every stream when the studio stops. */
    end: broadcast.end,
  }
}

/** The topic of the documentation for a failed installation; clients open a dialog for it. */
const TOPICS: Readonly<Record<string, string>> = { STORAGE_FULL: 'disk-space', INPUT_FETCH_FAILED: 'HF_MIRROR_UNREACHABLE' }

/** Converts an event of an agent to the form of the specification. `step`: how many `resolving` events of this installation came so far. */
export function downloadEvent(repo_id: string, target: string, event: InstallEventMessage, step = 0): DownloadEvent {
  const { phase, file, downloaded, total, rate, eta_seconds, files_done, files_total, cached, attempt, message, code } = event
  const pct = total > 0 ? Math.min(1, downloaded / total) : 0
  const base = <P extends string>(of: P) => ({ phase: of, repo_id, filename: repo_id, downloaded, total, pct, target })
  switch (phase) {
    case 'install_plan':
      return {
        phase,
        repo_id,
        filename: repo_id,
        total_bytes: total,
        cached_bytes: cached,
        to_download_bytes: total - cached,
        n_files: files_total,
        n_cached: files_done,
        target,
      }
    case 'start':
    case 'progress':
    case 'done':
      return { phase, repo_id, filename: file, downloaded, total, pct, ...(rate > 0 && { rate }), target }
    case 'aggregate':
      return {
        phase,
        repo_id,
        target,
        bytes_done: downloaded,
        total_bytes: total,
        rate,
        eta_seconds: eta_seconds > 0 ? eta_seconds : null,
        files_done,
        files_total,
      }
    case 'resolving':
      return { ...base(phase), step, detail: message }
    case 'install_retry':
      return { ...base(phase), attempt, error: message }
    case 'install_error':
      return { ...base(phase), error: message, code, ...(TOPICS[code] && { docs_topic: TOPICS[code] }) }
    case 'install_done':
      return { ...base(phase), pct: 1 }
    case 'install_start':
    case 'install_cancelled':
      return base(phase)
  }
}
