// Names, rows and keys of people. Pure.
import { createHash } from 'node:crypto'
import { limitsIn, type PersonKeyRow, type PersonRow } from '#control-plane/store/rows.ts'
import { KEY_PREFIX, type PersonKind, type PersonLimits, type PersonRole } from '#shared/protocol/access/person.ts'
import { composed } from '#shared/text/unicode/compose.ts'

export type NewPerson = {
  readonly name: string
  readonly kind: PersonKind
  readonly role: PersonRole
  readonly limits: PersonLimits
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

export const newRow = (id: string, { name, kind, role, limits }: NewPerson, now: number): PersonRow => ({
  id,
  name,
  folded: foldedName(name),
  kind,
  role,
  ...columnsOf(limits),
  created_at: now,
  ended_at: null,
})

export const changedRow = (
  row: PersonRow,
  { name = row.name, kind = row.kind, role = row.role, limits = {} }: PersonChange,
): PersonRow => ({
  ...row,
  name,
  folded: foldedName(name),
  kind,
  role,
  ...columnsOf({ ...limitsIn(row), ...limits }),
})
