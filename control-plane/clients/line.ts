// Chooses the next of those that wait, and counts the running work of each client.
import { fairestTurn } from '#shared/runtime/fair-turn.ts'
import { type Client, sharersOf } from './client.ts'
import { createCounts } from './counts.ts'
import { createTurnHistory } from './history.ts'
import { mayTake } from './share.ts'

/** `perClient`: one client runs as many, and all together more (`share.ts`). `atOnce`: all together run as many, which one client may take. */
export type Limit = { readonly perClient: number } | { readonly atOnce: number }
export type InLine = { readonly client: Client; readonly arrival: number }

export function createLine(limit: Limit) {
  const running = createCounts()
  const history = createTurnHistory()
  const sharing = {
    sharersOf: ({ client }: InLine) => sharersOf(client),
    running: running.ofSharer,
    lastTurn: history.lastTurn,
  }
  const mayRun = (client: Client): boolean =>
    'atOnce' in limit ? running.total() < limit.atOnce : mayTake(client, running.of(client), limit.perClient)

  return {
    mayRun,
    /** Next of those that may run, the owner first, then in fair turns. Null when none may. */
    next<T extends InLine>(waiting: Iterable<T>): T | null {
      const able = [...waiting].filter(({ client }) => mayRun(client))
      const owners = able.filter(({ client }) => client.isOwner)
      return fairestTurn(owners.length > 0 ? owners : able, sharing)
    },
    begin(client: Client): void {
      running.add(client)
      history.began(client)
    },
    end: (client: Client): void => running.add(client, -1),
  }
}
