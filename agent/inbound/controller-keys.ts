// One key for each person whose panel may use this machine: made once, shown once, kept only as a digest. The first panel that shows the secret
// binds its own key to it; from then on the secret is worth nothing to anybody else. Revoking is for good.
import { createHash, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { samePin } from '#shared/pki/pin.ts'
import { SECRET_PREFIX } from '#shared/protocol/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
/** Moments are epoch milliseconds; 0 is never. `pin` is null until a panel has bound its key. */
const Key = z.strictObject({
  id: hex(12),
  label: z.string().max(64),
  digest: hex(64),
  pin: hex(64).nullable(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  lastSeenPeer: z.string().max(100),
  revokedAt: z.number().nullable(),
})
export type PanelKey = z.output<typeof Key>
const Keys = z.array(Key).max(10_000)
const MAX_KEYS = 1_000

export type PanelKeys = ReturnType<typeof createPanelKeys>
const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

type Deps = { readonly clock: Clock; readonly random: Random; readonly log: Log }

export function createPanelKeys(folder: string, { clock, random, log }: Deps) {
  const path = join(privateFolder(folder), 'keys.json')
  let keys = read(path, log)

  /** On the disk first: what could not be written has not happened. */
  function keep(next: readonly PanelKey[]): void {
    writeAtomic(path, `${JSON.stringify(next, null, 1)}\n`)
    keys = [...next]
  }
  const change = (id: string, with_: Partial<PanelKey>): PanelKey => {
    keep(keys.map((key) => (key.id === id ? { ...key, ...with_ } : key)))
    return get(id)!
  }
  const get = (id: string): PanelKey | null => keys.find((key) => key.id === id) ?? null
  const byPin = (pin: string): PanelKey | null =>
    keys.find((key) => key.revokedAt === null && key.pin !== null && samePin(key.pin, pin)) ?? null

  return {
    get,
    list: (): readonly PanelKey[] => [...keys].sort((a, b) => a.createdAt - b.createdAt),
    /** The unrevoked key that this panel has bound. */
    byPin,
    boundPins: (): ReadonlySet<string> => new Set(keys.flatMap(({ pin, revokedAt }) => (pin !== null && revokedAt === null ? [pin] : []))),

    issue(label: string): { readonly key: PanelKey; readonly secret: string } {
      if (keys.filter(({ revokedAt }) => revokedAt === null).length >= MAX_KEYS)
        throw new Failure('CONFLICT', `There are ${MAX_KEYS} connection strings already; revoke some first.`)
      const secret = SECRET_PREFIX + random.bytes(32).toString('base64url')
      const digest = digestOf(secret).toString('hex')
      const key: PanelKey = {
        id: digest.slice(0, 12),
        label: label.trim() || 'Panel',
        digest,
        pin: null,
        createdAt: clock.now(),
        lastSeenAt: 0,
        lastSeenPeer: '',
        revokedAt: null,
      }
      // The oldest revoked ones make room: a key that is not known is refused as well.
      const spare = keys.length < 5 * MAX_KEYS ? null : keys.find(({ revokedAt }) => revokedAt !== null)
      keep([...keys.filter((other) => other !== spare), key])
      return { key, secret }
    },

    /** Binds the panel's key to it. Throws AUTH_FAILED or WORKER_REVOKED; only who knows the secret learns which of them, and why. */
    redeem(id: string, secret: string, pin: string): PanelKey {
      const key = get(id)
      const isRight = timingSafeEqual(digestOf(secret), key ? Buffer.from(key.digest, 'hex') : digestOf(''))
      if (!key || !isRight)
        throw new Failure('AUTH_FAILED', 'This connection string is not known here.', { detail: { reason: 'wrong-key' } })
      if (key.revokedAt !== null) throw revoked()
      if (key.pin !== null) {
        if (samePin(key.pin, pin)) return key
        throw new Failure('AUTH_FAILED', 'This connection string was used by another panel already; ask for a new one.')
      }
      const other = byPin(pin)
      if (other)
        throw new Failure(
          'AUTH_FAILED',
          `This panel uses this machine already, as "${other.label}"; that connection string goes on working.`,
        )
      return change(id, { pin })
    },

    /** Possession of the bound key is all it takes, at any age of the certificate. */
    renew(id: string, pin: string): PanelKey {
      const key = get(id)
      if (!key || key.pin === null || !samePin(key.pin, pin))
        throw new Failure('AUTH_FAILED', 'This machine does not know that panel with that key.')
      if (key.revokedAt !== null) throw revoked()
      return key
    },

    seen: (id: string, peer: string): void => void change(id, { lastSeenAt: clock.now(), lastSeenPeer: peer.slice(0, 100) }),

    /** Throws NOT_FOUND for a key that is unknown or revoked already. */
    revoke(id: string): PanelKey {
      const key = get(id)
      if (!key || key.revokedAt !== null) throw new Failure('NOT_FOUND', 'There is no such connection string, or it was revoked already.')
      // In force before it is on the disk: a full disk must not keep somebody in.
      keys = keys.map((other) => (other.id === id ? { ...other, revokedAt: clock.now() } : other))
      keep(keys)
      return get(id)!
    },
  }
}

const revoked = () => new Failure('WORKER_REVOKED', 'The owner of this machine has revoked this connection string; ask for a new one.')

/** A damaged file is set aside and lets nobody in: a key that is not known is refused like one that was revoked. */
function read(path: string, log: Log): PanelKey[] {
  if (!existsSync(path)) return []
  try {
    return Keys.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    renameSync(path, `${path}.damaged`)
    log.error(
      { path, err: String(error) },
      'the keys of the panels are damaged and were set aside; everybody needs a new connection string',
    )
    return []
  }
}
