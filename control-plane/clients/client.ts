// The client that work is done for. It travels in the asynchronous context of a request, from the access check to the task (ADR 0031), so that
// everything limited is shared by client without an argument in each function between.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type ClientId, OWNER_ID } from '#shared/protocol/access/client.ts'
import type { PersonRole } from '#shared/protocol/access/person.ts'
import type { Failure } from '#shared/protocol/failure.ts'

export type Client = {
  /**
   * The unit of sharing: an address, or OWNER_SOURCE. Clients of one source have one share together, because a sender can create any number
   * of sign-ins at its address. A source that proves more than an address, such as a person with a key of their own, is one, too.
   */
  readonly source: string
  /** One client of the source: a sign-in, the API key, a device with the PIN, or all without a credential. Unique among all sources. */
  readonly name: string
  /** Maker of what the client makes. It outlives the credential, and several clients of one person may have the same. */
  readonly id: ClientId
  /** The owner's own browser, or the commands of ./studio, on the machine of the studio. It goes first. */
  readonly isOwner: boolean
  /** A person whose role shows it the objects of all clients. */
  readonly seesAll?: boolean
}

/** A person whose key, or a sign-in of theirs, came with a request. */
export type PersonSender = {
  readonly id: string
  /** Null for a sign-in with the provider of identities, which has no key. */
  readonly keyId: string | null
  /** The role now: the owner may change it while the key is used. */
  readonly role: () => PersonRole
  /** Aborts when the key or the person ends, when the key expires, when the person gets a lower role, and without a key when its identity changes. */
  readonly ended: AbortSignal
}

const OWNER_SOURCE = 'owner'
export const OWNER: Client = { source: OWNER_SOURCE, name: OWNER_SOURCE, id: OWNER_ID, isOwner: true }
/** Work that no client has asked for now, such as that of a task that was waiting when the studio stopped. */
export const STUDIO_CLIENT: Client = { source: 'studio', name: 'studio', id: OWNER_ID, isOwner: false }

const context = new AsyncLocalStorage<Client>()

/** Runs `work` for the client, with everything that it starts. */
export const asClient = <T>(client: Client, work: () => T): T => context.run(client, work)

export const currentClient = (): Client => context.getStore() ?? STUDIO_CLIENT

/** Client whose objects lists show to the current client; null for those of all clients. */
export function currentViewer(): ClientId | null {
  const { id, seesAll } = currentClient()
  return id === OWNER_ID || seesAll === true ? null : id
}

/** The source and its client: those who share, from the outermost on. */
export const sharersOf = ({ source, name }: Client): readonly [source: string, name: string] => [source, name]

/** The source as a client, for work that outlives the request and its credential. `id`: who made the work. */
export const clientOfSource = (source: string, id: ClientId, seesAll = false): Client =>
  source === OWNER_SOURCE ? { ...OWNER, id } : { source, name: source, id, isOwner: false, ...(seesAll && { seesAll }) }

const PERSON_SOURCE = 'person '
/** The source of a person, whichever of its keys or sign-ins sends. */
const sourceOfPerson = (personId: string): string => `${PERSON_SOURCE}${personId}`
/**
 * The person whose limits count for work of this client: the one that asked, also where the work is on an object of another maker. Null: no
 * person has asked.
 */
export const payerOf = ({ source }: Pick<Client, 'source'>): string | null =>
  source.startsWith(PERSON_SOURCE) ? source.slice(PERSON_SOURCE.length) : null
/** A person as a client, for work that outlives the request. */
export const clientOfPerson = (personId: string): Client => clientOfSource(sourceOfPerson(personId), `person:${personId}`)

/** Wait of a step of a job where a limit of its client refuses a request, which a caller that waits for an answer is told at once. */
export type Patience = {
  /** Runs `rest`, which waits, and shows the refusal meanwhile. `isIdle`: the client has no work that runs. */
  readonly wait: (reason: Failure, rest: () => Promise<void>, isIdle: boolean) => Promise<void>
}
const patient = new AsyncLocalStorage<Patience>()
export const withPatience = <T>(patience: Patience, work: () => T): T => patient.run(patience, work)
/** Null: the work is for a caller that waits for an answer. */
export const currentPatience = (): Patience | null => patient.getStore() ?? null

/** An iterable whose values are made for the current client, in whichever context they are requested. */
export function asCurrentClient<T>(values: AsyncIterable<T>): AsyncIterable<T> {
  const client = currentClient()
  return {
    [Symbol.asyncIterator]() {
      const iterator = asClient(client, () => values[Symbol.asyncIterator]())
      return {
        next: () => asClient(client, () => iterator.next()),
        return: async (value?: unknown) => (await asClient(client, () => iterator.return?.(value))) ?? { done: true, value: undefined },
      }
    },
  }
}
