// A secret for a server, tied to the origin (scheme, host and port) that it was given for. Every setting with an address and a key uses it,
// so that a changed address never sends the key to another server. As the schema of a `secret` setting it is stored encrypted.
import { z } from 'zod'

export const OriginSecret = z.strictObject({ origin: z.string().min(1).max(2_000), secret: z.string().min(1).max(1_000) })
export type OriginSecret = z.output<typeof OriginSecret>

/** Null for an address without a host. */
const originOf = (url: string): string | null => {
  const origin = URL.parse(url)?.origin
  return origin === undefined || origin === 'null' ? null : origin
}

/** Null for an empty secret and for an address without a host. */
export function tieSecret(secret: string, url: string): OriginSecret | null {
  const origin = originOf(url)
  return secret === '' || origin === null ? null : { origin, secret }
}

/** The secret for a request to `url`; null when it was given for another origin. */
export const secretFor = (tied: OriginSecret | null, url: string): string | null =>
  tied !== null && tied.origin === originOf(url) ? tied.secret : null

/**
 * The secret after a change. `given`: null keeps the stored one where the origin stays the same, '' removes it. `isDropped`: it was removed
 * because of the new origin, which the response must state.
 */
export function changeSecret(
  tied: OriginSecret | null,
  { url, given }: { readonly url: string; readonly given: string | null },
): { readonly tied: OriginSecret | null; readonly isDropped: boolean } {
  if (given !== null) return { tied: tieSecret(given, url), isDropped: false }
  const kept = secretFor(tied, url) === null ? null : tied
  return { tied: kept, isDropped: tied !== null && kept === null }
}
