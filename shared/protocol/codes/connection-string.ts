// The text that lets one person's studio use a listening machine. It contains the address, the pin of the machine's authority, and a secret
// that is valid until the first studio has bound its own key.
import { Failure } from '../failure.ts'

export type ConnectionString = {
  readonly secret: string
  readonly host: string
  readonly port: number
  /** SHA-256 of the SPKI of the machine's authority; lower-case hex. */
  readonly fingerprint: string
}
/** The `reason` in the `detail` of a refusal, so that callers need not parse messages. */
export type ConnectionRefusal =
  | 'blank'
  | 'no-scheme'
  | 'not-one'
  | 'other-scheme'
  | 'join-code'
  | 'no-secret'
  | 'bad-secret'
  | 'no-host'
  | 'no-port'
  | 'bad-port'
  | 'bad-fingerprint'

const SCHEME = 'svcnode'
export const SECRET_PREFIX = 'svcnode_'
export const CONNECTION_LIMIT_CHARS = 512
const SECRET = /^svcnode_[A-Za-z0-9_-]{16,128}$/

export function formatConnectionString({ secret, host, port, fingerprint }: ConnectionString): string {
  return `${SCHEME}://${secret}@${host.includes(':') ? `[${host}]` : host}:${port}?fingerprint=${fingerprint}`
}

/** Throws BAD_REQUEST with what is wrong and what to do. Surrounding blanks are ignored. */
export function parseConnectionString(text: string): ConnectionString {
  const trimmed = text.trim()
  if (trimmed === '') throw refusal('blank')
  if (trimmed.startsWith('svcj_')) throw refusal('join-code')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(trimmed)
  if (!scheme) throw refusal(/[.:]/.test(trimmed) ? 'no-scheme' : 'not-one')
  if (scheme[1] !== SCHEME) throw refusal('other-scheme')
  const parts = /^(?:([^@/?#]*)@)?([^?#]*)(?:\?([^#]*))?$/s.exec(scheme[2]!)
  if (!parts?.[1]) throw refusal('no-secret')
  const [, secret, address = '', query = ''] = parts
  if (secret.startsWith('svcj_')) throw refusal('join-code')
  if (!SECRET.test(secret)) throw refusal('bad-secret')
  const { host, port } = readAddress(address.replace(/\/$/, ''))
  const fingerprints = query.split('&').filter((part) => part.startsWith('fingerprint='))
  const fingerprint = fingerprints[0]?.slice('fingerprint='.length).toLowerCase() ?? ''
  if (fingerprints.length !== 1 || !/^[0-9a-f]{64}$/.test(fingerprint)) throw refusal('bad-fingerprint')
  return { secret, host, port, fingerprint }
}

function readAddress(address: string): { host: string; port: number } {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]*))(?::(.*))?$/s.exec(address)
  const host = parts?.[1] ?? parts?.[2]
  if (!host) throw refusal('no-host')
  const port = parts?.[3]
  if (port === undefined || port === '') throw refusal('no-port')
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) throw refusal('bad-port')
  return { host, port: Number(port) }
}

const REFUSALS = {
  blank: 'Paste the connection string first.',
  'no-scheme':
    'This looks like an address without a key. Ask the owner of the machine for the whole connection string, which starts with svcnode://.',
  'not-one': 'This is not a connection string. Ask the owner of the machine for it; it starts with svcnode://.',
  'other-scheme': 'This is not a connection string. A connection string starts with svcnode://.',
  'join-code': 'This is a join code, which works in the other direction. Paste it on the machine that lends, not on the one that borrows.',
  'no-secret': 'The connection string has no key before the @. Copy all of it.',
  'bad-secret': 'The key in the connection string is malformed. Copy all of it, from svcnode:// to the end.',
  'no-host': 'The connection string contains no host. Copy all of it.',
  'no-port': 'The connection string contains no port. Copy all of it.',
  'bad-port': 'The port in the connection string must be a number from 1 to 65535.',
  'bad-fingerprint': 'The connection string lacks the fingerprint of the machine (exactly one, 64 hex digits). Copy all of it.',
} as const satisfies Record<ConnectionRefusal, string>

const refusal = (reason: ConnectionRefusal) => new Failure('BAD_REQUEST', REFUSALS[reason], { detail: { reason } })
