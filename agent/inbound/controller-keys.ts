// One key per person whose studio may use this machine: created once, shown once, stored only as a digest. The first controller that presents
// the secret binds its own key; after that the secret is useless to any other. A revocation is permanent.
import { createHash, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { samePin } from '#shared/pki/pin.ts'
import { SECRET_PREFIX } from '#shared/protocol/codes/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'

const hex = (digits: number) =>
  z
    .string()
    .length(digits)
    .regex(/^[0-9a-f]*$/)
/** Times are epoch milliseconds; 0 means never. `pin` is null until a controller has bound its key. */
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
export type ControllerKey = z.output<typeof Key>
const Keys = z.array(Key).max(10_000)
const MAX_KEYS = 1_000

export type ControllerKeys = ReturnType<typeof createControllerKeys>
const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

type Deps = { readonly clock: Clock; readonly random: Random; readonly log: Log }

export function createControllerKeys(folder: string, { clock, random, log }: Deps) {
  const path = join(privateFolder(folder), 'keys.json')
  let keys = read(path, log)

  /** Written before it takes effect: a change that cannot be written is not made. */
  function save(next: readonly ControllerKey[]): void {
    writeAtomic(path, `${JSON.stringify(next, null, 1)}\n`)
    keys = [...next]
  }
  const change = (id: string, fields: Partial<ControllerKey>): ControllerKey => {
    save(keys.map((key) => (key.id === id ? { ...key, ...fields } : key)))
    return get(id)!
  }
  const get = (id: string): ControllerKey | null => keys.find((key) => key.id === id) ?? null
  const byPin = (pin: string): ControllerKey | null =>
    keys.find((key) => key.revokedAt === null && key.pin !== null && samePin(key.pin, pin)) ?? null

  return {
    get,
    list: (): readonly ControllerKey[] => [...keys].sort((a, b) => a.createdAt - b.createdAt),
    /** The unrevoked key that this controller has bound. */
    byPin,
    boundPins: (): ReadonlySet<string> => new Set(keys.flatMap(({ pin, revokedAt }) => (pin !== null && revokedAt === null ? [pin] : []))),

    issue(label: string): { readonly key: ControllerKey; readonly secret: string } {
      if (keys.filter(({ revokedAt }) => revokedAt === null).length >= MAX_KEYS)
        throw new Failure('CONFLICT', `There are already ${MAX_KEYS} connection strings. Revoke some first.`)
      const secret = SECRET_PREFIX + random.bytes(32).toString('base64url')
      const digest = digestOf(secret).toString('hex')
      const key: ControllerKey = {
        id: digest.slice(0, 12),
        label: label.trim() || 'Panel',
        digest,
        pin: null,
        createdAt: clock.now(),
        lastSeenAt: 0,
        lastSeenPeer: '',
        revokedAt: null,
      }
      // The oldest revoked key makes room: an unknown key is refused as well.
      const spare = keys.length < 5 * MAX_KEYS ? null : keys.find(({ revokedAt }) => revokedAt !== null)
      save([...keys.filter((other) => other !== spare), key])
      return { key, secret }
    },

    /** Binds the controller's key. Throws AUTH_FAILED or WORKER_REVOKED; the detailed reason needs the right secret. */
    redeem(id: string, secret: string, pin: string): ControllerKey {
      const key = get(id)
      const isRight = timingSafeEqual(digestOf(secret), key ? Buffer.from(key.digest, 'hex') : digestOf(''))
      if (!key || !isRight)
        throw new Failure('AUTH_FAILED', 'This machine does not recognise this connection string.', { detail: { reason: 'wrong-key' } })
      if (key.revokedAt !== null) throw revoked()
      if (key.pin !== null) {
        if (samePin(key.pin, pin)) return key
        throw new Failure('AUTH_FAILED', 'Another studio already uses this connection string. Ask for a new one.')
      }
      const other = byPin(pin)
      if (other)
        throw new Failure('AUTH_FAILED', `This studio already uses this machine as "${other.label}". That connection string still works.`)
      return change(id, { pin })
    },

    /** Requires only possession of the bound key, at any age of the certificate. */
    renew(id: string, pin: string): ControllerKey {
      const key = get(id)
      if (!key || key.pin === null || !samePin(key.pin, pin)) throw new Failure('AUTH_FAILED', 'This machine has no studio with that key.')
      if (key.revokedAt !== null) throw revoked()
      return key
    },

    recordContact: (id: string, peer: string): void => void change(id, { lastSeenAt: clock.now(), lastSeenPeer: peer.slice(0, 100) }),

    /** Throws NOT_FOUND for an unknown or revoked key. */
    revoke(id: string): ControllerKey {
      const key = get(id)
      if (!key || key.revokedAt !== null) throw new Failure('NOT_FOUND', 'There is no such connection string, or it was already revoked.')
      // Takes effect before it is written: a full disk must not prevent a revocation.
      keys = keys.map((other) => (other.id === id ? { ...other, revokedAt: clock.now() } : other))
      save(keys)
      return get(id)!
    },
  }
}

const revoked = () => new Failure('WORKER_REVOKED', 'The owner of this machine has revoked this connection string. Ask for a new one.')

/** A damaged file is renamed and grants no access. */
function read(path: string, log: Log): ControllerKey[] {
  if (!existsSync(path)) return []
  try {
    return Keys.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    renameSync(path, `${path}.damaged`)
    log.error({ path, err: String(error) }, 'the keys file is damaged and was renamed; every connection string must be issued again')
    return []
  }
}
