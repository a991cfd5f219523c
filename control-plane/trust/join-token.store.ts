// Join codes: single use, short-lived, kept only as a digest. Spending one and enrolling the worker are one transaction.
import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Database } from '../store/database.ts'
import type { Audit } from './audit.store.ts'

export type JoinTokens = ReturnType<typeof createJoinTokens>
export type NewToken = { readonly id: string; readonly secret: string; readonly expiresAt: number }
type Row = {
  id: string
  secret_digest: string
  label: string
  endpoint: string
  worker_id: string | null
  expires_at: number
  used_at: number | null
  used_by: string | null
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest()

type Deps = { readonly db: Database; readonly clock: Clock; readonly random: Random; readonly audit: Audit }

export function createJoinTokens({ db, clock, random, audit }: Deps) {
  const insert = db.prepare(
    'insert into join_token (id, secret_digest, label, endpoint, worker_id, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const byId = db.prepare<[string], Row>('select * from join_token where id = ?')
  const spend = db.prepare('update join_token set used_at = ?, used_by = ? where id = ? and used_at is null and expires_at > ?')
  const purge = db.prepare('delete from join_token where expires_at < ? and used_at is null')

  return {
    /** `workerId`: the id the new worker shall have; null lets it get one of its own. */
    create(wish: { label: string; endpoint: string; ttlSeconds: number; workerId: string | null }): NewToken {
      const now = clock.now()
      purge.run(now - 24 * 3600_000)
      const id = random.hex(8)
      const secret = random.bytes(32).toString('base64url')
      const expiresAt = now + wish.ttlSeconds * 1000
      db.transaction(() => {
        insert.run(id, digestOf(secret).toString('hex'), wish.label, wish.endpoint, wish.workerId, now, expiresAt)
        audit.record('code-issued', id, { label: wish.label, expires_at: expiresAt })
      })()
      return { id, secret, expiresAt }
    },

    /**
     * Calls `enrol` and keeps what it wrote only for the one caller who spends the code. Whoever does not know the secret learns nothing
     * about the code; who does is told whether it is used or expired. `sameKey` tells whether the worker that used it asks again because
     * the answer was lost. Throws AUTH_FAILED.
     */
    redeem<T>(
      id: string,
      secret: string,
      enrol: (token: { label: string; endpoint: string; workerId: string | null }) => { workerId: string; value: T },
      again: (workerId: string) => T | null,
    ): T {
      return db
        .transaction(() => {
          const row = byId.get(id)
          const right = timingSafeEqual(digestOf(secret), row ? Buffer.from(row.secret_digest, 'hex') : digestOf(''))
          if (!row || !right) throw new Failure('AUTH_FAILED', 'This join code is not known here.')
          if (row.used_by !== null) {
            const value = again(row.used_by)
            if (value !== null) return value
            throw new Failure('AUTH_FAILED', 'This join code was used already. Ask for a new one.')
          }
          const now = clock.now()
          if (row.expires_at <= now) throw new Failure('AUTH_FAILED', 'This join code has expired. Ask for a new one.')
          const { workerId, value } = enrol({ label: row.label, endpoint: row.endpoint, workerId: row.worker_id })
          if (spend.run(now, workerId, id, now).changes !== 1) throw new Error('a join code changed inside its own transaction')
          return value
        })
        .immediate()
    },
  }
}
