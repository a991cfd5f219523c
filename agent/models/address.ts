// Where models are fetched from: the addresses, and to whom the token may be shown. An address is built from the catalogue and the base that
// the owner of this machine chose; a peer has no word in it.
import { Failure } from '#shared/protocol/failure.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Only https, and http on this very machine. Throws BAD_REQUEST; the address itself is not repeated, it may hold a signature. */
export function allowedUrl(text: string, base?: URL): URL {
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new Failure('BAD_REQUEST', 'the server of the models gave an address that cannot be read')
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe || url.username !== '' || url.password !== '')
    throw new Failure('BAD_REQUEST', `models are fetched over https only, and ${url.host || 'this address'} is not reached so`)
  // A page on the network must not make this machine call a service of its own.
  if (base && isLoopback(url.hostname) && !isLoopback(base.hostname))
    throw new Failure('BAD_REQUEST', 'the server of the models led to an address of this machine')
  return url
}

/** The token is for the host that the owner named, in the form in which it was named: neither a redirect nor another port gets it. */
export const mayHaveToken = (url: URL, base: URL): boolean => url.origin === base.origin

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

export const fileUrl = (base: URL, repo: string, revision: string, path: string): URL =>
  new URL(`${trimmed(base)}/${encoded(repo)}/resolve/${encodeURIComponent(revision)}/${encoded(path)}`)
/** Tells the commit that a branch stands at. */
export const commitUrl = (base: URL, repo: string, revision: string): URL =>
  new URL(`${trimmed(base)}/api/${encoded(withKind(repo))}/revision/${encodeURIComponent(revision)}`)
export const treeUrl = (base: URL, repo: string, revision: string): URL =>
  new URL(`${trimmed(base)}/api/${encoded(withKind(repo))}/tree/${encodeURIComponent(revision)}?recursive=true`)

/** A repository of a space is named with what it is, as in its address; of a model it is not, except where every kind is. */
export const withKind = (repo: string): string => (repo.startsWith('spaces/') ? repo : `models/${repo}`)

const trimmed = ({ origin, pathname }: URL) => `${origin}${pathname.replace(/\/+$/, '')}`
