// The text that lets one person's panel use a GPU machine that listens. It names the machine, the key that proves it, and a secret that
// works until the first panel has bound its own key to it.
import { Failure } from './failure.ts'

export type ConnectionString = {
  readonly secret: string
  readonly host: string
  readonly port: number
  /** SHA-256 of the SPKI of the machine's authority; lower-case hex. */
  readonly fingerprint: string
}
/** Found in the `detail` of a refusal, so that callers need not read sentences. */
export type ConnectionRefusal =
  | 'blank'
  | 'no-scheme'
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

/** Throws BAD_REQUEST with what is wrong and what to do. Blanks around it are forgiven. */
export function parseConnectionString(text: string): ConnectionString {
  const trimmed = text.trim()
  if (trimmed === '') throw refusal('blank')
  if (trimmed.startsWith('svcj_')) throw refusal('join-code')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(trimmed)
  if (!scheme) throw refusal('no-scheme')
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
    'This looks like an address without a key. Ask the owner of the machine for the whole connection string; it starts with svcnode://.',
  'other-scheme': 'This is not a connection string; a connection string starts with svcnode://.',
  'join-code': 'This is a join code, which works in the other direction: paste it on the machine that lends, not on the one that borrows.',
  'no-secret': 'The connection string has no key in front of the @; copy all of it.',
  'bad-secret': 'The key in the connection string is malformed; copy all of it, from svcnode:// to the end.',
  'no-host': 'The connection string names no machine.',
  'no-port': 'The connection string names no port.',
  'bad-port': 'The port in the connection string is not a port number from 1 to 65535.',
  'bad-fingerprint': 'The connection string lacks the fingerprint of the machine (exactly one, 64 hex digits); copy all of it.',
} as const satisfies Record<ConnectionRefusal, string>

const refusal = (reason: ConnectionRefusal) => new Failure('BAD_REQUEST', REFUSALS[reason], { detail: { reason } })
