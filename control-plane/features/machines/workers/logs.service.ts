// The log of a machine, read over its link on request. Lines come from another machine: they are validated, and invalid ones are dropped.

import { createPlaces } from '#control-plane/clients/places.ts'
import type { WorkerStore } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { LogLineMessage } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { LogLineView } from './logs.contract.ts'

type Live = { readonly logs: (request: Wire<'LogsRequest'>, signal: AbortSignal) => AsyncIterable<Wire<'LogLine'>> }
type Deps = { readonly workers: WorkerStore; readonly live: (workerId: string) => Live | undefined; readonly clock: Clock }
export type WorkerLogs = ReturnType<typeof createWorkerLogs>
const PATIENCE_MS = 10_000
const FOLLOWERS_PER_CLIENT = 16

export function createWorkerLogs({ workers, live, clock }: Deps) {
  const places = createPlaces({ perClient: FOLLOWERS_PER_CLIENT, what: 'connections that follow the logs of machines' })
  const over = new AbortController()

  function sessionOf(id: string): Live {
    const worker = workers.get(id)
    if (!worker || worker.revokedAt !== null) throw new Failure('NOT_FOUND', 'No such worker.')
    const session = live(id)
    if (!session)
      throw new Failure('WORKER_UNREACHABLE', `${worker.name || id} is not connected, so its log cannot be read.`, {
        values: { machine: worker.name || id },
      })
    return session
  }

  async function* validLines(lines: AsyncIterable<Wire<'LogLine'>>): AsyncGenerator<LogLineView> {
    for await (const raw of lines) {
      const { data: line } = LogLineMessage.safeParse(raw)
      if (line) yield { ...line, at: line.at / 1000 }
    }
  }

  return {
    /** Throws NOT_FOUND, WORKER_UNREACHABLE; UPGRADE_REQUIRED when the agent is older than this call. */
    async last(id: string, count: number): Promise<LogLineView[]> {
      const session = sessionOf(id)
      const abort = new AbortController()
      const forget = clock.after(PATIENCE_MS, () => abort.abort())
      const lines: LogLineView[] = []
      try {
        for await (const line of validLines(session.logs({ last: count, follow: false }, abort.signal))) {
          lines.push(line)
          if (lines.length > count) break
        }
      } finally {
        forget()
      }
      if (abort.signal.aborted) throw new Failure('WORKER_UNREACHABLE', `The machine did not answer within ${PATIENCE_MS / 1000} s.`)
      return lines.slice(0, count)
    },
    /** Ends every stream when the studio stops. */
    end: () => over.abort(),
    /** JSON lines until the client disconnects or the link closes. */
    async follow(id: string, count: number, signal: AbortSignal): Promise<AsyncGenerator<string>> {
      const session = sessionOf(id)
      const ended = AbortSignal.any([signal, over.signal])
      return places.during(ended, async function* () {
        // Sends the response headers at once; the next log line may take long.
        yield '\n'
        for await (const line of validLines(session.logs({ last: count, follow: true }, ended))) yield `${JSON.stringify(line)}\n`
      })
    },
  }
}
