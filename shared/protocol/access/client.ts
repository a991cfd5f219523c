// Identifies the maker of an object that others may not see or delete.

/**
 * owner: the user of the studio on its machine, and any sender with the API key. user:UID: another user of this machine. device:ID: a device
 * that sent the PIN of the shared port and keeps its cookie. address:A: a client without a proof of its own, by its address. person:ID: a person
 * or program with a key of its own.
 */
export type ClientId = 'owner' | `user:${string}` | `device:${string}` | `address:${string}` | PersonClientId
export type PersonClientId = `person:${string}`

/** Sees and deletes everything. Objects without a recorded client are the owner's. */
export const OWNER_ID: ClientId = 'owner'

/** The id of the person; null for any other client. */
export const personIn = (client: ClientId): string | null => (client.startsWith('person:') ? client.slice('person:'.length) : null)

/** Objects whose maker is recorded. A dub includes its item of the batch, and a job its book. */
export const MADE_KINDS = ['take', 'project', 'voice', 'clip', 'term', 'dub', 'job', 'export'] as const
export type MadeKind = (typeof MADE_KINDS)[number]
