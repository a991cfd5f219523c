// When each client and each source began its last turn, as a number that grows with every turn.
import { type Client, sharersOf } from './client.ts'

export type TurnHistory = ReturnType<typeof createTurnHistory>

/** Sources and clients that are remembered. One that was forgotten counts as new, so its next turn is early. */
const REMEMBERED = 1_000

export function createTurnHistory() {
  const last = [new Map<string, number>(), new Map<string, number>()] as const
  let turns = 0

  return {
    began(client: Client): void {
      turns++
      for (const [depth, sharer] of sharersOf(client).entries()) {
        const known = last[depth]!
        known.delete(sharer)
        known.set(sharer, turns)
        if (known.size > REMEMBERED) known.delete(known.keys().next().value!)
      }
    },
    lastTurn: (sharer: string, depth: number): number => last[depth]!.get(sharer) ?? 0,
  }
}
