// The addresses of a server of models: the hub, or a mirror with its layout. Built from the catalogue and the base URL that the owner configured; no
// peer can influence them.
import { trimEndOf } from '#shared/text/trim.ts'

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
