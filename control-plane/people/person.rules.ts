// Names, rows and keys of people. Pure.
import { createHash } from 'node:crypto'
import { limitsIn, type PersonKeyRow, type PersonRow } from '#control-plane/store/rows.ts'
import { KEY_PREFIX, type PersonKind, type PersonLimits, type PersonRole } from '#shared/protocol/access/person.ts'
import { composed } from '#shared/text/unicode/compose.ts'

/** An account at a provider of identities. */
export type ProviderAccount = {
  /** The address of the provider as `issuerOf` writes it. */
  readonly issuer: string
  readonly subject: string
}
/** Identity of a person without a key: the account that proves an e-mail address first, or a certain account. */
export type NewSignIn = { readonly email: string } | ProviderAccount
export type NewPerson = {
  readonly name: string
  readonly kind: PersonKind
  readonly role: PersonRole
  readonly limits: PersonLimits
  /** Default null: with keys only. */
  readonly signIn?: NewSignIn | null
}
/** Fields that are left out do not change. */
export type PersonChange = Partial<Omit<NewPerson, 'limits'>> & { readonly limits?: Partial<PersonLimits> }

/** Bytes of a key that are random. */
export const KEY_BYTES = 32
/** Characters of a key that are shown later, so that people recognise it. */
const BEGIN_CHARS = 8
const DAY_MS = 24 * 3600_000

/** Names that differ only in case, width or form of their characters are the same. */
export const foldedName = (name: string): string => composed(name, 'NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * The form of an e-mail address for comparisons. Only ASCII letters lose their case: some others become an ASCII letter, and would make two addresses
 * of different people one.
 */
export const foldedEmail = (email: string): string => email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
/** The form of the address of a provider for comparisons. */
export const issuerOf = (address: string): string => (URL.parse(address)?.href ?? address).replace(/\/$/, '')

type SignInColumns = Pick<PersonRow, 'sign_in_email' | 'sign_in_issuer' | 'sign_in_subject'>
/** The address that a person has already keeps its account. */
function signInColumns(signIn: NewSignIn | null, before: SignInColumns | null): SignInColumns {
  if (signIn === null) return { sign_in_email: null, sign_in_issuer: null, sign_in_subject: null }
  if (!('email' in signIn)) return { sign_in_email: null, sign_in_issuer: signIn.issuer, sign_in_subject: signIn.subject }
  const email = foldedEmail(signIn.email)
  if (before?.sign_in_email === email) return before
  return { sign_in_email: email, sign_in_issuer: null, sign_in_subject: null }
}
/** True if what signs in as the one does not sign in as the other. */
export const isOtherSignIn = (one: SignInColumns, other: SignInColumns): boolean =>
  one.sign_in_email !== other.sign_in_email || one.sign_in_issuer !== other.sign_in_issuer || one.sign_in_subject !== other.sign_in_subject

export const hasAccount = (row: SignInColumns, { issuer, subject }: ProviderAccount): boolean =>
  row.sign_in_issuer === issuer && row.sign_in_subject === subject
/** True if an account of this provider signs in as the person already. One of another provider no longer counts. */
export const isBoundTo = (row: SignInColumns, issuer: string): boolean => row.sign_in_subject !== null && row.sign_in_issuer === issuer

export const digestOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')
/** `random`: KEY_BYTES bytes. */
export const personKeyOf = (random: Buffer): string => KEY_PREFIX + random.toString('base64url')
export const beginOf = (key: string): string => key.slice(0, BEGIN_CHARS)

/** Epoch milliseconds; null: never. */
export const expiryOf = (days: number | null, now: number): number | null => (days === null ? null : now + days * DAY_MS)

/** True if the key opens anything at `now`. Its person may have ended. */
export const isLive = ({ ended_at, expires_at }: PersonKeyRow, now: number): boolean =>
  ended_at === null && (expires_at === null || expires_at > now)

const columnsOf = ({ machines, ...limits }: PersonLimits) => ({
  ...limits,
  machines: machines === null ? null : JSON.stringify([...new Set(machines)].sort()),
})

export const newRow = (id: string, { name, kind, role, limits, signIn = null }: NewPerson, now: number): PersonRow => ({
  id,
  name,
  folded: foldedName(name),
  kind,
  role,
  ...columnsOf(limits),
  ...signInColumns(signIn, null),
  created_at: now,
  ended_at: null,
})

export const changedRow = (
  row: PersonRow,
  { name = row.name, kind = row.kind, role = row.role, limits = {}, signIn }: PersonChange,
): PersonRow => ({
  ...row,
  name,
  folded: foldedName(name),
  kind,
  role,
  ...columnsOf({ ...limitsIn(row), ...limits }),
  ...(signIn !== undefined && signInColumns(signIn, row)),
})
