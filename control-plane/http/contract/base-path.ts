// The path that the studio is served under, such as /voice. A proxy in front may remove it from the addresses that it passes on, or not.
import { Failure } from '#shared/protocol/failure.ts'

export type BasePath = {
  /** Path without a slash at the end; empty for the root. */
  readonly path: string
  /** Path of the cookies. */
  readonly cookiePath: string
  /** The address as the routes are declared. */
  readonly removedFrom: (url: string) => string
  /** An address of this studio that a client follows. */
  readonly addedTo: (url: string) => string
  /** True if the address names the base without its slash: addresses in the page are relative to the slash. */
  readonly isBare: (url: string) => boolean
  /** A bare address as that of the first route, with its query. */
  readonly slashed: (url: string) => string
}

export function createBasePath(path: string): BasePath {
  const isBare = (url: string) => path !== '' && (url === path || url.startsWith(`${path}?`))
  return {
    path,
    cookiePath: path || '/',
    removedFrom: (url) => (path !== '' && url.startsWith(`${path}/`) ? url.slice(path.length) : url),
    addedTo: (url) => (url.startsWith('/') ? path + url : url),
    isBare,
    slashed: (url) => `/${url.slice(path.length)}`,
  }
}

/** Throws BAD_REQUEST if the addresses of a route begin like those under the base. */
export function requireFreeBase({ path }: BasePath, routes: Iterable<string>): void {
  if (path === '') return
  const [, first] = path.split('/')
  for (const route of routes)
    if (route.split('/')[1] === first)
      throw new Failure('BAD_REQUEST', `STUDIO_BASE_PATH: ${path} begins like the address ${route} of the API. Choose another path.`)
}
