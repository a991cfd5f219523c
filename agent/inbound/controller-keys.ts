// One key per person whose studio may use this machine: created once, shown once, stored only as a digest. The first controller that presents
// the secret binds its own key; after that the secret is useless to any other. A revocation is permanent.
import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { samePin } from '#shared/pki/pin.ts'
import { SECRET_PREFIX } from '#shared/protocol/codes/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Keys } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'

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
const Stored = z.array(Key).max(10_000)
const MAX_KEYS = 1_000
const NAME = 'keys.json'

export type ControllerKeys = Awaited<ReturnType<typeof openControllerKeys>>
const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

type Deps = { readonly clock: Clock; readonly random: Random; readonly log: Log }

export async function openControllerKeys(stored: Keys, { clock, random, log }: Deps) {
  let keys = await read(stored, log)
  /** Each change starts from what the one before has written. */
  const inTurn = createSerialQueue()

  const write = (next: readonly ControllerKey[]) => stored.write(NAME, `${JSON.stringify(next, null, 1)}\n`)
  /** Written before it takes effect: a change that cannot be written is not made. A revocation meanwhile stays. Only in turn. */
  async function save(change: (list: readonly ControllerKey[]) => ControllerKey[]): Promise<void> {
    await write(change(keys))
    keys = change(keys)
  }
  const changed = (id: string, fields: Partial<ControllerKey>) => (list: readonly ControllerKey[]) =>
    list.map((key) => (key.id === id ? { ...key, ...fields } : key))
  const get = (id: string): ControllerKey | null => keys.find((key) => key.id === id) ?? null
  const byPin = (pin: string): ControllerKey | null =>
    keys.find((key) => key.revokedAt === null && key.pin !== null && samePin(key.pin, pin)) ?? null

  return {
    get,
    list: (): readonly ControllerKey[] => [...keys].sort((a, b) => a.createdAt - b.createdAt),
    /** The unrevoked key that this controller has bound. */
    byPin,
    boundPins: (): ReadonlySet<string> => new Set(keys.flatMap(({ pin, revokedAt }) => (pin !== null && revokedAt === null ? [pin] : []))),

    issue: (label: string): Promise<{ readonly key: ControllerKey; readonly secret: string }> =>
      inTurn(async () => {
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
        await save((list) => [...list.filter(({ id }) => id !== spare?.id), key])
        return { key, secret }
      }),

    /** Binds the controller's key. Rejects with AUTH_FAILED or WORKER_REVOKED; the detailed reason needs the right secret. */
    redeem: (id: string, secret: string, pin: string): Promise<ControllerKey> =>
      inTurn(async () => {
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
        await save(changed(id, { pin }))
        const bound = get(id)
        if (!bound || bound.revokedAt !== null) throw revoked()
        return bound
      }),

    /** Requires only possession of the bound key, at any age of the certificate. */
    renew(id: string, pin: string): ControllerKey {
      const key = get(id)
      if (!key || key.pin === null || !samePin(key.pin, pin)) throw new Failure('AUTH_FAILED', 'This machine has no studio with that key.')
      if (key.revokedAt !== null) throw revoked()
      return key
    },

    recordContact: (id: string, peer: string): Promise<void> =>
      inTurn(() => save(changed(id, { lastSeenAt: clock.now(), lastSeenPeer: peer.slice(0, 100) }))),

    /** In effect at once, also if it cannot be written. Rejects with NOT_FOUND for an unknown or revoked key. */
    async revoke(id: string): Promise<ControllerKey> {
      const key = get(id)
      if (!key || key.revokedAt !== null) throw new Failure('NOT_FOUND', 'There is no such connection string, or it was already revoked.')
      keys = changed(id, { revokedAt: clock.now() })(keys)
      await inTurn(() => write(keys))
      return get(id)!
    },
  }
}

const revoked = () => new Failure('WORKER_REVOKED', 'The owner of this machine has revoked this connection string. Ask for a new one.')

/** A damaged entry is renamed and grants no access. */
async function read(stored: Keys, log: Log): Promise<ControllerKey[]> {
  const bytes = await stored.read(NAME)
  if (bytes === null) return []
  try {
    return Stored.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    await stored.write(`${NAME}.damaged`, bytes)
    await stored.remove(NAME)
    log.error(
      { path: stored.placeOf(NAME), err: String(error) },
      'the keys file is damaged and was renamed; every connection string must be issued again',
    )
    return []
  }
}
