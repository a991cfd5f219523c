// Notices about machines that stopped answering while they had a task. Pure.
import type { Hint } from '#control-plane/events/event.ts'
import type { Change } from '#control-plane/tasks/record.ts'

/** One notice for each machine, without its name: readers of the bus may lack access to machines. */
export function lostMachines(changes: readonly Change[]): Hint[] {
  const lost = changes.filter(({ event, record }) => event?.kind === 'link-lost' && record.task.phase === 'unknown')
  const ids = new Set(lost.map(({ record }) => record.task.workerId!))
  return [...ids].map((id) => ({
    kind: 'notice',
    action: 'raised',
    id: `machine ${id}`,
    fields: () => ({ message: 'A machine stopped answering while it worked.', hint: 'Its tasks wait for it or run elsewhere.' }),
  }))
}
