// Wraps the history so that each change becomes an event on the bus.
import type { Bus } from '#control-plane/events/bus.ts'
import type { History } from './history.store.ts'

export function withEvents(history: History, bus: Pick<Bus, 'publish'>): History {
  const publish = (action: string, id: string) => bus.publish({ kind: 'generation_history', action, id })
  return {
    ...history,
    add(row) {
      history.add(row)
      publish('created', row.id)
    },
    revise(id, revision) {
      const isKnown = history.revise(id, revision)
      if (isKnown) publish('revised', id)
      return isKnown
    },
    star(id, starred) {
      const isKnown = history.star(id, starred)
      if (isKnown) publish('starred', id)
      return isKnown
    },
    async remove(id) {
      const removed = history.remove(id)
      publish('deleted', id)
      await removed
    },
    async clear(which) {
      const cleared = history.clear(which)
      // The rows are gone already.
      bus.publish({ kind: 'generation_history' })
      await cleared
    },
    async restore(id, viewer) {
      const isBack = await history.restore(id, viewer)
      if (isBack) publish('restored', id)
      return isBack
    },
    async restoreAll() {
      const count = await history.restoreAll()
      if (count > 0) bus.publish({ kind: 'generation_history' })
      return count
    },
  }
}
