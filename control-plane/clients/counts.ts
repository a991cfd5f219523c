// Counts what each source and each client holds.
import { type Client, OWNER, sharersOf } from './client.ts'
import type { HeldShare } from './share.ts'

export type Counts = ReturnType<typeof createCounts>

export function createCounts() {
  const counts = [new Map<string, number>(), new Map<string, number>()] as const
  let all = 0
  /** `depth`: 0 for a source, 1 for a client. */
  const ofSharer = (sharer: string, depth: number): number => counts[depth]!.get(sharer) ?? 0

  return {
    /** `amount`: negative to give back. */
    add(client: Client, amount = 1): void {
      if (!client.isOwner) all += amount
      for (const [depth, sharer] of sharersOf(client).entries()) {
        const next = ofSharer(sharer, depth) + amount
        if (next === 0) counts[depth]!.delete(sharer)
        else counts[depth]!.set(sharer, next)
      }
    },
    of: ({ source, name }: Client): HeldShare => ({ own: ofSharer(name, 1), source: ofSharer(source, 0), all }),
    ofSharer,
    /** Count for all clients. */
    total: (): number => all + ofSharer(OWNER.name, 1),
  }
}
