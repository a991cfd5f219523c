// Join codes: single use, short-lived, kept only as a digest. A code is spent in memory, so one of fifty concurrent callers gets it; the
// spent code and the enrolled worker are durable with one batch, and no caller is answered before that.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Audit } from '#control-plane/audit/audit.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { JournalState } from '#control-plane/store/journal.ts'
import type { JoinTokenRow } from '#control-plane/store/rows.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'

export type JoinTokens = ReturnType<typeof createJoinTokens>
export type NewToken = { readonly id: string; readonly secret: string /** Epoch milliseconds. */; readonly expiresAt: number }
type TokenRequest = {
  readonly label: string
  readonly endpoint: string
  readonly ttlSeconds: number
  /** The id that the new worker gets; null chooses one. */
  readonly workerId: string | null
}
type Deps = {
  readonly state: Pick<JournalState, 'joinTokens'>
  readonly commits: Pick<GroupCommit, 'stage' | 'settled'>
  readonly clock: Clock
  readonly random: Random
  readonly audit: Audit
}
const DAY_MS = 24 * 3600_000
/** An ordinary correction of a clock. */
const CORRECTION_MS = 60_000

const digestOf = (secret: string) => createHash('sha256').update(secret).digest()

export function createJoinTokens({ state, commits, clock, random, audit }: Deps) {
  /** When the codes of this run end, on the monotonic clock. */
  const ends = new Map<string, number>()
  const tokens = new Map(state.joinTokens.map((row) => [row.id, row]))

  /** Replaces a row; null removes it. */
  function put(id: string, row: JoinTokenRow | null): void {
    const before = tokens.get(id)
    if (row) tokens.set(id, row)
    else tokens.delete(id)
    if (!row || row.used_at !== null) ends.delete(id)
    commits.stage({
      write: ({ joinTokens }) => void joinTokens.set(id, row),
      undo: () => void (before ? tokens.set(id, before) : tokens.delete(id)),
    })
  }

  /** By either clock: the wall clock may be set back, and the monotonic one stands still while the machine sleeps. */
  function isExpired({ id, created_at, expires_at }: JoinTokenRow): boolean {
    const now = clock.now()
    const end = ends.get(id)
    // A code of an earlier run from the future: the clock was set back, so nothing says how old the code is.
    return expires_at <= now || (end === undefined ? created_at > now + CORRECTION_MS : clock.mono() >= end)
  }

  return {
    /** Resolves when the code is durable. Rejects with STORAGE_FULL. */
    async create({ label, endpoint, ttlSeconds, workerId }: TokenRequest): Promise<NewToken> {
      const now = clock.now()
      for (const row of [...tokens.values()]) if (row.used_at === null && row.expires_at < now - DAY_MS) put(row.id, null)
      const id = random.hex(8)
      const secret = random.bytes(32).toString('base64url')
      const expiresAt = now + ttlSeconds * 1000
      put(id, {
        id,
        secret_digest: digestOf(secret).toString('hex'),
        label,
        endpoint,
        worker_id: workerId,
        created_at: now,
        expires_at: expiresAt,
        used_at: null,
        used_by: null,
      })
      ends.set(id, clock.mono() + ttlSeconds * 1000)
      audit.record('code-issued', id, { label, expires_at: expiresAt })
      await commits.settled()
      return { id, secret, expiresAt }
    },

    /**
     * Spends the code for the worker that `enrol` returns; when `enrol` throws, the code stays as it was. A caller without the secret
     * learns nothing about the code; one with it learns whether it is used or expired. `again` returns the value for a worker that used
     * the code and asks again because the answer was lost, or null. The caller answers after `settled()`. Throws AUTH_FAILED.
     */
    redeem<T>(
      id: string,
      secret: string,
      enrol: (token: { label: string; endpoint: string; workerId: string | null }) => { workerId: string; value: T },
      again: (workerId: string) => T | null,
    ): T {
      const row = tokens.get(id)
      const isRight = timingSafeEqual(digestOf(secret), row ? Buffer.from(row.secret_digest, 'hex') : digestOf(''))
      if (!row || !isRight) throw new Failure('AUTH_FAILED', 'This join code is not known here.')
      if (row.used_by !== null) {
        const value = again(row.used_by)
        if (value !== null) return value
        throw new Failure('AUTH_FAILED', 'This join code was used already. Ask for a new one.')
      }
      if (isExpired(row)) throw new Failure('AUTH_FAILED', 'This join code has expired. Ask for a new one.')
      const { workerId, value } = enrol({ label: row.label, endpoint: row.endpoint, workerId: row.worker_id })
      put(id, { ...row, used_at: clock.now(), used_by: workerId })
      return value
    },
  }
}
