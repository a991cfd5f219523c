// The text a person carries from the studio to a GPU machine. It holds a secret that works once and the pins that make sure
// the secret is only ever told to the studio that made the code.
import { Failure } from './failure.ts'

export type JoinCode = {
  readonly id: string
  readonly secret: string
  /** `host:port`, most likely to work first. */
  readonly endpoints: readonly string[]
  /** SHA-256 of the SPKI of the authority, now and next; lower-case hex. */
  readonly pins: readonly string[]
  readonly expiresAtSeconds: number
}
/** Found in the `detail` of a refusal, so that callers need not read sentences. */
export type JoinCodeRefusal = 'not-a-code' | 'malformed' | 'newer-version' | 'expired' | 'no-pins'

const PREFIX = 'svcj_'
const VERSION = 1
export const JOIN_CODE_LIMIT_CHARS = 4096

export function encodeJoinCode(code: JoinCode): string {
  const fields = { v: VERSION, id: code.id, s: code.secret, e: code.endpoints, p: code.pins, x: code.expiresAtSeconds }
  const text = PREFIX + Buffer.from(JSON.stringify(fields)).toString('base64url')
  if (text.length > JOIN_CODE_LIMIT_CHARS) throw new Failure('BAD_REQUEST', 'A join code cannot hold so many addresses.')
  return text
}

/** `now`: epoch milliseconds. Blanks around and line breaks inside are forgiven, people copy codes out of mails. */
export function parseJoinCode(text: string, now: number): JoinCode {
  const code = text.replace(/\s+/g, '')
  if (!code.startsWith(PREFIX)) throw refusal('not-a-code')
  if (code.length > JOIN_CODE_LIMIT_CHARS) throw refusal('malformed')
  const fields = parseFields(code.slice(PREFIX.length))
  // Before anything else: a newer version may mean other fields.
  if (typeof fields['v'] === 'number' && fields['v'] > VERSION) throw refusal('newer-version')
  const { v, id, s: secret, e: endpoints, p: pins, x: expiresAtSeconds } = fields
  if (v !== VERSION || !isText(id) || !isText(secret) || !isTextList(endpoints) || endpoints.length === 0) throw refusal('malformed')
  if (typeof expiresAtSeconds !== 'number' || !Number.isFinite(expiresAtSeconds)) throw refusal('malformed')
  if (!Array.isArray(pins) || pins.length === 0) throw refusal('no-pins')
  if (!isTextList(pins) || !pins.every((pin) => /^[0-9a-f]{64}$/.test(pin))) throw refusal('malformed')
  if (now >= expiresAtSeconds * 1000) throw refusal('expired')
  return { id, secret, endpoints, pins, expiresAtSeconds }
}

function parseFields(encoded: string): Record<string, unknown> {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) throw refusal('malformed')
  try {
    const fields: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    if (fields !== null && typeof fields === 'object' && !Array.isArray(fields)) return fields as Record<string, unknown>
  } catch {
    // Told below: what exactly JSON disliked is of no use to anybody.
  }
  throw refusal('malformed')
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 512
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

const REFUSALS = {
  'not-a-code': ['BAD_REQUEST', 'This is not a join code; a join code starts with svcj_.'],
  malformed: ['BAD_REQUEST', 'The join code is malformed or truncated; copy all of it.'],
  'newer-version': ['UPGRADE_REQUIRED', 'The join code was made by a newer version; update this program.'],
  expired: ['AUTH_FAILED', 'The join code has expired; make a new one.'],
  'no-pins': ['AUTH_FAILED', 'The join code names no key to trust; make a new one.'],
} as const satisfies Record<JoinCodeRefusal, readonly [string, string]>

const refusal = (reason: JoinCodeRefusal) => new Failure(REFUSALS[reason][0], REFUSALS[reason][1], { detail: { reason } })
