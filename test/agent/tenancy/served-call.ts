// One run call as the link serves it, controlled by a test.

import type { AgentService, ServedRun } from '#shared/link/rpc.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'

export const peer = { pin: 'p'.repeat(64), signal: new AbortController().signal }
export type ServedCall = ReturnType<typeof serveCall>

export function serveCall(service: AgentService, header: HeaderMessage) {
  const events: Wire<'Event'>[] = []
  const inputs: Wire<'RunInput'>[] = []
  const wants: Wire<'InputWant'>[] = []
  let wake = () => {}
  let refused: FailureCode | null = null
  const abort = new AbortController()
  const over = () => {
    abort.abort()
    wake()
  }
  const served: ServedRun = {
    peer,
    header: { ...header, params_json: Buffer.from(header.params_json) },
    inputs: (async function* () {
      while (!abort.signal.aborted) {
        while (inputs.length > 0) yield inputs.shift()!
        if (abort.signal.aborted) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    })(),
    write: (output) => {
      events.push(...output.events)
      if (output.wanted) wants.push(output.wanted)
      return true
    },
    drained: async () => {},
    signal: abort.signal,
    end: over,
    fail(code) {
      refused = code
      over()
    },
  }
  const ended = service.run(served)
  ended.catch(() => {})
  return {
    events,
    /** Requested inputs, in order. */
    wants,
    ended,
    over,
    facts: () => events.map(({ seq, fact }) => `${seq} ${fact}`),
    refused: () => refused,
    send(input: Wire<'RunInput'>) {
      inputs.push(input)
      wake()
    },
  }
}
