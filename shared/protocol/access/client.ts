// Who made a row that others may not see or delete. Stored with takes, voices, projects, dubs and jobs.

/**
 * owner: the user of the studio on its machine, and any sender with the API key. user:UID: another user of this machine. device:ID: a device
 * that sent the PIN of the shared port and keeps its cookie. address:A: a client without a proof of its own, by its address.
 */
export type ClientId = 'owner' | `user:${string}` | `device:${string}` | `address:${string}`

/** The owner sees and deletes everything. Rows of versions without clients are the owner's. */
export const OWNER_ID: ClientId = 'owner'
