// Checks which addresses may be downloaded from, and which of them receive the access token.
import { Failure } from '#shared/protocol/failure.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Allows https, and http on this machine. Throws BAD_REQUEST without repeating the address, which may contain a signature. */
export function allowedUrl(text: string, base?: URL): URL {
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new Failure('BAD_REQUEST', 'The server sent an invalid address.')
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe || url.username !== '' || url.password !== '')
    throw new Failure('BAD_REQUEST', `Downloads use https only; ${url.host || 'this address'} does not use it.`)
  // A remote server must not make this machine call its own services.
  if (base && isLoopback(url.hostname) && !isLoopback(base.hostname))
    throw new Failure('BAD_REQUEST', 'The server redirected to an address of this machine.')
  return url
}

/** The token goes only to the origin that the owner configured, never to a redirect target or another port. */
export const mayHaveToken = (url: URL, base: URL): boolean => url.origin === base.origin
