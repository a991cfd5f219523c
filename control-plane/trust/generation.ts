// Tells a renewal by the machine that has the certificate from one by a copy of its disk. Every renewal raises a count that studio and
// agent both keep; of two machines with one key, the second one to renew names an outdated count.

export type Renewal = 'next' | 'again' | 'copy'
type Recorded = { readonly generation: number; readonly renewalNonce: string; readonly resync: boolean }
type Requested = { readonly generation: number; readonly nonce: string }

/**
 * `again`: the answer to the last renewal was lost; the agent stores its nonce before it asks, so the same nonce is the same agent. An
 * agent that is ahead is no copy: this studio was restored from an older backup. `resync`: a person has decided that the next machine to
 * renew is the right one.
 */
export function judgeRenewal(recorded: Recorded, requested: Requested): Renewal {
  if (recorded.resync || requested.generation >= recorded.generation) return 'next'
  const isLostAnswer =
    requested.generation === recorded.generation - 1 && requested.nonce !== '' && requested.nonce === recorded.renewalNonce
  return isLostAnswer ? 'again' : 'copy'
}

export const nextGeneration = (recorded: Recorded, requested: Requested): number => Math.max(recorded.generation, requested.generation) + 1
/** Far above what a machine reaches, far below the limit of exact integers. */
export const MAX_GENERATION = 2 ** 48
