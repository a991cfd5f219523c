// Recordings that were withdrawn while the studio runs: sound with their voice that was begun before is not kept.

export type Withdrawals = ReturnType<typeof createWithdrawals>
/** True once one of the recordings was withdrawn after the claim was made. */
export type WithdrawalCheck = () => boolean

export function createWithdrawals() {
  const counts = new Map<string, number>()
  const countOf = (recordings: readonly string[]): number => recordings.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0)
  return {
    /** Recordings are SHA-256 in lower-case hex. */
    add(recordings: readonly string[]): void {
      for (const each of recordings) counts.set(each, (counts.get(each) ?? 0) + 1)
    },
    claim(recordings: readonly string[]): WithdrawalCheck {
      const before = countOf(recordings)
      return () => countOf(recordings) !== before
    },
  }
}
