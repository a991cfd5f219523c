// Asks the hub whether it accepts a token, and whose it is. Answers are kept for 300 s, by the digest of the token.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '#shared/protocol/json.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { trimEndOf } from '#shared/text/trim.ts'

export type Account = { readonly ok: boolean; readonly user: string | null }
export type WhoAmI = (token: string, server: string, isFresh: boolean) => Promise<Account>

const CACHE_MS = 300_000
const CACHED = 16
const PATIENCE_MS = 5_000
const MAX_BYTES = 256 * 1024
const Reply = z.object({ name: z.string().max(200) })
const REFUSED: Account = { ok: false, user: null }

/** The returned function never rejects. */
export function createWhoAmI({ clock }: { readonly clock: Clock }): WhoAmI {
  const cached = new Map<string, { readonly at: number; readonly account: Promise<Account> }>()
  return async (token, server, isFresh) => {
    const key = createHash('sha256').update(`${server}\n${token}`).digest('hex')
    const known = cached.get(key)
    if (known && !isFresh && clock.mono() - known.at < CACHE_MS) return await known.account
    const account = ask(token, server).catch(() => REFUSED)
    cached.delete(key)
    cached.set(key, { at: clock.mono(), account })
    for (const oldest of cached.keys()) if (cached.size > CACHED) cached.delete(oldest)
    return await account
  }
}

/** A token is not sent over an unencrypted network. */
const isPrivate = (server: string): boolean => /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:|\/|$))/.test(server)

async function ask(token: string, server: string): Promise<Account> {
  if (!isPrivate(server)) return REFUSED
  const response = await fetch(`${trimEndOf(server, '/')}/api/whoami-v2`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel().catch(() => {})
    return REFUSED
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_BYTES) return REFUSED
    chunks.push(chunk)
  }
  return { ok: true, user: Reply.parse(parseJson(Buffer.concat(chunks), { bytes: MAX_BYTES })).name }
}
