// The declaration of a pool as the studio keeps it, and the terms of a consent: the parts of a declaration that a person approves. A
// consent counts only for the terms that it was given for. Pure.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PoolMessage } from '#shared/protocol/messages.ts'
import { isRelease, newerFirst } from '#shared/protocol/version.ts'

const Terms = z.object({
  operator: z.string(),
  /** Each once, in alphabetical order. */
  places: z.array(z.string()).readonly(),
  /** True if the operator can read texts and recordings while they are worked on. */
  readsInputs: z.boolean(),
})
export type PoolTerms = Readonly<z.output<typeof Terms>>

const Declared = Terms.extend({
  name: z.string(),
  contact: z.string(),
  keeps: z.string(),
  /** Number of machines. */
  machines: z.int(),
  /** Versions of their agents, '' for none, and the number of machines with an older one than the newest. */
  newest: z.string(),
  oldest: z.string(),
  older: z.int(),
  /** Names of the machines as the audit log has them, in alphabetical order; null if there are too many to keep. */
  names: z.array(z.string()).readonly().nullable(),
})
export type DeclaredPool = Readonly<z.output<typeof Declared>>

/** Terms of a consent as stored, with the number of machines that was shown. `terms`: null for a single machine. */
const Consented = z.object({ digest: z.string(), terms: Terms.nullable(), machines: z.int() })
export type ConsentTerms = Readonly<z.output<typeof Consented>>

/** Names that are kept of a pool. */
export const NAMES_KEPT = 1_000
const NO_POOL: ConsentTerms = { digest: '', terms: null, machines: 0 }

const inOrder = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text.trim() !== ''))].sort()
// Another form than x.y.z comes last.
const newestFirst = (one: string, other: string): number =>
  isRelease(one) && isRelease(other) ? newerFirst(one, other) : Number(isRelease(other)) - Number(isRelease(one)) || (one < other ? -1 : 1)

export const termsOf = ({ operator, places, readsInputs }: PoolTerms): PoolTerms => ({ operator, places, readsInputs })

/** SHA-256 of the terms, hex; '' for a single machine. */
export function termsDigest(pool: PoolTerms | null): string {
  if (pool === null) return ''
  return createHash('sha256')
    .update(JSON.stringify(['pool', pool.operator, inOrder(pool.places), pool.readsInputs]))
    .digest('hex')
}

export const consentTermsOf = (pool: DeclaredPool | null): ConsentTerms =>
  pool === null ? NO_POOL : { digest: termsDigest(pool), terms: termsOf(pool), machines: pool.machines }

type Said = Omit<PoolMessage, 'machines'> & { readonly machines: readonly Pick<PoolMessage['machines'][number], 'name' | 'version'>[] }
export function declaredPool({ name, operator, contact, places, reads_inputs, keeps, machines }: Said): DeclaredPool {
  const versions = machines.map(({ version }) => version).sort(newestFirst)
  const [newest = ''] = versions
  return {
    ...{ name, operator, contact, keeps },
    places: inOrder(places),
    readsInputs: reads_inputs,
    machines: machines.length,
    newest,
    oldest: versions.at(-1) ?? '',
    older: versions.filter((version) => version !== newest).length,
    names: machines.length > NAMES_KEPT ? null : inOrder(machines.map((machine) => machine.name)),
  }
}

export type TermsChange = 'kind' | 'operator' | 'places' | 'reads_inputs'
/** The differences of two terms, null for a single machine: `kind` stands for a pool that is none any more, or the reverse. */
export function changesOf(was: PoolTerms | null, now: PoolTerms | null): TermsChange[] {
  if (was === null || now === null) return was === now ? [] : ['kind']
  return [
    ...(was.operator === now.operator ? [] : (['operator'] as const)),
    ...(JSON.stringify(inOrder(was.places)) === JSON.stringify(inOrder(now.places)) ? [] : (['places'] as const)),
    ...(was.readsInputs === now.readsInputs ? [] : (['reads_inputs'] as const)),
  ]
}

/** JSON of a column; '' for null. */
export const stored = (value: object | null): string => (value === null ? '' : JSON.stringify(value))
const read = <T>(schema: z.ZodType<T>, text: string): T | null => (text === '' ? null : (schema.safeParse(JSON.parse(text)).data ?? null))
export const readDeclared = (text: string): DeclaredPool | null => read(Declared, text)
/** '' is a consent to a single machine, as all consents before pools were. One that can't be read counts for no terms. */
export const readConsentTerms = (text: string): ConsentTerms =>
  text === '' ? NO_POOL : (read(Consented, text) ?? { ...NO_POOL, digest: 'unknown' })
