// Which files a model consists of, with size and digest of each, before a byte of them is fetched. What the catalogue does not know, the
// listing of the server must say for the very commit that is fetched from; a file that neither vouches for is refused.
import { z } from 'zod'
import { type CatalogueModel, isMeant, isPlainPath, type ModelSource } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { allowedUrl, commitUrl, treeUrl } from './address.ts'
import type { Digest } from './digest.ts'
import { type Fetch, Refusal, readBody } from './fetch.ts'

export type ResolvedFile = {
  readonly repo: string
  readonly revision: string
  /** In the repository, and in the model's folder. */
  readonly remotePath: string
  readonly path: string
  readonly size: number
  readonly digest: Digest
}
const ANSWER_BYTES = 8 * 1024 * 1024
const PAGES = 20
const FILES = 2000
const LARGEST_BYTES = 64 * 1000 ** 3

const Commit = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) })
const Size = z.number().int().min(0).max(LARGEST_BYTES)
const Tree = z
  .array(
    z.object({
      type: z.string(),
      path: z.string().max(2000),
      size: Size.optional(),
      oid: z.string().max(200).optional(),
      lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: Size }).nullish(),
    }),
  )
  .max(10_000)
type Entry = z.output<typeof Tree>[number]

export type ListingDeps = { readonly base: URL; readonly fetch: Fetch; readonly signal: AbortSignal }

export async function resolveFiles(model: CatalogueModel, deps: ListingDeps): Promise<ResolvedFile[]> {
  const files: ResolvedFile[] = []
  for (const source of model.sources) files.push(...(await resolveSource(source, deps)))
  const paths = new Set(files.map(({ path }) => path))
  if (paths.size !== files.length || files.length > FILES) throw unverified(model.id, 'two of its files would have the same name')
  return files
}

async function resolveSource(source: ModelSource, deps: ListingDeps): Promise<ResolvedFile[]> {
  const { repo, into } = source
  const revision = source.revision ?? (await commitOf(repo, deps))
  const known = source.files.every(({ path, size, sha256 }) => !path.includes('*') && size !== null && sha256 !== null)
  const tree = known ? [] : await treeOf(repo, revision, deps)
  return source.files.flatMap((wanted) => {
    const at = (remotePath: string, size: number, digest: Digest): ResolvedFile => {
      if (!isPlainPath(remotePath) || !isPlainPath(into + remotePath)) throw unverified(repo, 'a file has a name that is not allowed')
      return { repo, revision, remotePath, path: into + remotePath, size, digest }
    }
    if (known) return [at(wanted.path, wanted.size!, { kind: 'sha256', hex: wanted.sha256! })]
    const found = tree.filter(({ path }) => isMeant(wanted.path, path))
    if (found.length === 0 && !wanted.path.includes('*')) throw unverified(repo, `it has no file ${wanted.path} any more`)
    return found.map((entry) => {
      const told = tellingOf(entry)
      if (!told) throw unverified(repo, `nothing says what ${wanted.path} must be like`)
      // The catalogue has the last word. Of small files the listing tells no SHA-256 to compare with: those are held to it as they arrive.
      const isOther = wanted.sha256 !== null && told.digest.kind === 'sha256' && wanted.sha256 !== told.digest.hex
      if (isOther || (wanted.size !== null && wanted.size !== told.size))
        throw unverified(repo, `${wanted.path} is not the file that the catalogue knows`)
      return at(entry.path, told.size, wanted.sha256 === null ? told.digest : { kind: 'sha256', hex: wanted.sha256 })
    })
  })
}

/** Large files are named by their SHA-256, small ones by the id that git gives their content. */
function tellingOf({ size, oid, lfs }: Entry): { size: number; digest: Digest } | null {
  if (lfs) return { size: lfs.size, digest: { kind: 'sha256', hex: lfs.oid } }
  if (size === undefined || !/^[0-9a-f]{40}$/.test(oid ?? '')) return null
  return { size, digest: { kind: 'git', hex: oid! } }
}

async function commitOf(repo: string, { base, fetch, signal }: ListingDeps): Promise<string> {
  return parsed(Commit, await readJson(commitUrl(base, repo, 'main'), fetch, signal)).sha
}

async function treeOf(repo: string, revision: string, { base, fetch, signal }: ListingDeps): Promise<Entry[]> {
  const entries: Entry[] = []
  let next: URL | null = treeUrl(base, repo, revision)
  for (let page = 0; next; page++) {
    if (page >= PAGES) throw unverified(repo, 'its listing does not end')
    const { value, link }: { value: unknown; link: string | null } = await readPage(next, fetch, signal)
    entries.push(...parsed(Tree, value).filter(({ type }) => type === 'file'))
    const url: URL | null = link === null ? null : allowedUrl(link, next)
    // Pages of a listing come from where the listing came from; anything else would get the token for nothing.
    if (url && url.origin !== next.origin) throw unverified(repo, 'its listing leads to another server')
    next = url
  }
  return entries
}

const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Failure('BAD_REQUEST', 'the server of the models answered something that is no listing')
  return data
}

async function readJson(url: URL, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  return (await readPage(url, fetch, signal)).value
}

async function readPage(url: URL, fetch: Fetch, signal: AbortSignal): Promise<{ value: unknown; link: string | null }> {
  const answer = await fetch(url, { signal })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw new Refusal(answer.status)
  }
  const text = (await readBody(answer, ANSWER_BYTES)).toString('utf8')
  const [, link = null] = /<([^>]{1,2000})>\s*;\s*rel="?next"?/.exec(String(answer.headers['link'] ?? '')) ?? []
  try {
    return { value: JSON.parse(text), link }
  } catch {
    throw new Failure('BAD_REQUEST', 'the server of the models answered something that is no listing')
  }
}

const unverified = (what: string, why: string) => new Failure('MODEL_REF_REJECTED', `${what} cannot be verified: ${why}`)
