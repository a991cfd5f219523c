// Whether a renewal comes from the machine that was given the certificate, or from a copy of its disk. Every renewal raises the count that
// studio and agent both keep; of two machines with one key, the one that renews second names a count that is over.

export type Renewal = 'next' | 'again' | 'copy'
type Known = { readonly generation: number; readonly renewalNonce: string; readonly resync: boolean }
type Asked = { readonly generation: number; readonly nonce: string }

/**
 * `again`: the answer to the last renewal was lost; the agent wrote the nonce down before it asked, so the very same asker asks again. An
 * agent that is ahead is no copy: this studio was restored from an older backup. `resync`: a person has decided that whoever comes next is
 * the right one.
 */
export function judgeRenewal(known: Known, asked: Asked): Renewal {
  if (known.resync || asked.generation >= known.generation) return 'next'
  const isLostAnswer = asked.generation === known.generation - 1 && asked.nonce !== '' && asked.nonce === known.renewalNonce
  return isLostAnswer ? 'again' : 'copy'
}

export const nextGeneration = (known: Known, asked: Asked): number => Math.max(known.generation, asked.generation) + 1
/** Far above what any machine reaches, far below where numbers stop being exact. */
export const MAX_GENERATION = 2 ** 48
