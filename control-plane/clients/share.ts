// Computes the share of a limited resource that one client may hold. Pure.
import type { Client } from './client.ts'

/** `own` of the client, `source` of all clients of its source, `all` of everybody but the owner. */
export type HeldShare = { readonly own: number; readonly source: number; readonly all: number }

/** There is this many times what one client may hold. */
const CLIENTS = 3
/** Limit for all clients together, beside the owner. */
export const mostOf = (perClient: number): number => CLIENTS * perClient

/**
 * True if a client that holds `own` may take `amount` more. It gets `perClient` when it is alone; what is left for others is never less than its
 * source holds, so the next source finds something free, and the clients of one source get half of everything together. The owner has
 * `perClient` beside all others.
 */
export function mayTake({ isOwner }: Pick<Client, 'isOwner'>, { own, source, all }: HeldShare, perClient: number, amount = 1): boolean {
  if (own + amount > perClient) return false
  return isOwner || own + amount <= mostOf(perClient) - all - source
}
