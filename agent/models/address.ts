// The addresses of models, and which of them receive the access token. An address is built from the catalogue and the base URL that the owner
// configured; no peer can influence it.

import { Failure } from '#shared/protocol/failure.ts'
import { trimEndOf } from '#shared/text/trim.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Allows https, and http on this machine. Throws BAD_REQUEST without repeating the address, which may contain a signature. */
export function allowedUrl(text: string, base?: URL): URL {
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new Failure('BAD_REQUEST', 'The model server sent an invalid address.')
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe || url.username !== '' || url.password !== '')
    throw new Failure('BAD_REQUEST', `Models are downloaded over https only; ${url.host || 'this address'} does not use it.`)
  // A remote server must not make this machine call its own services.
  if (base && isLoopback(url.hostname) && !isLoopback(base.hostname))
    throw new Failure('BAD_REQUEST', 'The model server redirected to an address of this machine.')
  return url
}

/** The token goes only to the origin that the owner configured, never to a redirect target or another port. */
export const mayHaveToken = (url: URL, base: URL): boolean => url.origin === base.origin

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

export const fileUrl = (base: URL, repo: string, revision: string, path: string): URL =>
  new URL(`${trimmed(base)}/${encoded(repo)}/resolve/${encodeURIComponent(revision)}/${encoded(path)}`)
/** Returns the commit of a branch. */
export const commitUrl = (base: URL, repo: string, revision: string): URL =>
  new URL(`${trimmed(base)}/api/${encoded(withKind(repo))}/revision/${encodeURIComponent(revision)}`)
export const treeUrl = (base: URL, repo: string, revision: string): URL =>
  new URL(`${trimmed(base)}/api/${encoded(withKind(repo))}/tree/${encodeURIComponent(revision)}?recursive=true`)

/** Prefixes the repository with its kind. A space already carries its prefix in the catalogue, a model does not. */
export const withKind = (repo: string): string => (repo.startsWith('spaces/') ? repo : `models/${repo}`)

const trimmed = ({ origin, pathname }: URL) => `${origin}${trimEndOf(pathname, '/')}`
