// The reason for which a dub waits, from the events of its job. Pure.
import type { DubJobEvent } from '#control-plane/features/dubbing/batch/batch-events.schema.ts'

/** '' if the work goes on. */
export function reasonOf(events: readonly { readonly payload: string }[]): string {
  let reason = ''
  for (const { payload } of events) {
    const event: DubJobEvent = JSON.parse(payload.replace(/^data: /, '')) // stored as it was sent
    if (event.type !== 'routing_notice') reason = ''
    else if (event.status === 'waiting') reason = event.reason
  }
  return reason
}
