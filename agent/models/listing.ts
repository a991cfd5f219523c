// Resolves the files of a model, with size and digest of each, before any download. Values that the catalogue does not pin come from the
// server's listing of the same commit; a file without a digest in either is refused.
import { z } from 'zod'
import { allowedUrl } from '#shared/download/allowed-url.ts'
import type { Digest } from '#shared/download/digest.ts'
import { type Fetch, HttpRefusal, readBody } from '#shared/download/fetch.ts'
import { commitUrl, treeUrl } from '#shared/download/hub.ts'
import { type CatalogueModel, isMeant, isPinned, isPlainPath, type ModelSource, type WantedFile } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type ResolvedFile = {
  readonly repo: string
  readonly revision: string
  /** Path in the repository; `path` is the one in the model's folder. */
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
  if (paths.size !== files.length || files.length > FILES) throw unverified(model.id, 'two of its files have the same name')
  return files
}

async function resolveSource(source: ModelSource, deps: ListingDeps): Promise<ResolvedFile[]> {
  const { repo, into } = source
  const revision = source.revision ?? (await commitOf(repo, deps))
  const isFullyPinned = source.files.every(isPinned)
  const tree = isFullyPinned ? [] : await treeOf(repo, revision, deps)
  return source.files.flatMap((file) => {
    const at = (remotePath: string, size: number, digest: Digest): ResolvedFile => {
      if (!isPlainPath(remotePath) || !isPlainPath(into + remotePath)) throw unverified(repo, 'a file name is not allowed')
      return { repo, revision, remotePath, path: into + remotePath, size, digest }
    }
    if (isFullyPinned) return [at(file.path, file.size!, pinnedDigest(file))]
    const found = tree.filter(({ path }) => isMeant(file.path, path))
    if (found.length === 0 && !file.path.includes('*')) throw unverified(repo, `it no longer has the file ${file.path}`)
    return found.map((entry) => {
      const listed = digestIn(entry)
      if (!listed) throw unverified(repo, `there is no digest for ${file.path}`)
      // The catalogue wins. The listing has no SHA-256 for small files; those are compared with the catalogue after the download.
      const isOther = file.sha256 !== null && listed.digest.kind === 'sha256' && file.sha256 !== listed.digest.hex
      if (isOther || (file.size !== null && file.size !== listed.size)) throw unverified(repo, `${file.path} differs from the catalogue`)
      return at(entry.path, listed.size, file.sha256 === null ? listed.digest : { kind: 'sha256', hex: file.sha256 })
    })
  })
}

const pinnedDigest = ({ sha256, md5 }: WantedFile): Digest =>
  sha256 === null ? { kind: 'md5', hex: md5! } : { kind: 'sha256', hex: sha256 }

/** Large files are identified by their SHA-256, small ones by their git blob id. */
function digestIn({ size, oid, lfs }: Entry): { size: number; digest: Digest } | null {
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
    if (page >= PAGES) throw unverified(repo, 'its listing has too many pages')
    const { value, link }: { value: unknown; link: string | null } = await readPage(next, fetch, signal)
    entries.push(...parsed(Tree, value).filter(({ type }) => type === 'file'))
    const url: URL | null = link === null ? null : allowedUrl(link, next)
    // All pages come from one origin: another one must not receive the token.
    if (url && url.origin !== next.origin) throw unverified(repo, 'its listing leads to another server')
    next = url
  }
  return entries
}

const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Failure('BAD_REQUEST', 'The model server sent an invalid listing.')
  return data
}

async function readJson(url: URL, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  return (await readPage(url, fetch, signal)).value
}

async function readPage(url: URL, fetch: Fetch, signal: AbortSignal): Promise<{ value: unknown; link: string | null }> {
  const answer = await fetch(url, { signal })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw new HttpRefusal(answer.status)
  }
  const text = (await readBody(answer, ANSWER_BYTES)).toString('utf8')
  const [, link = null] = /<([^<>]{1,2000})>\s*;\s*rel="?next"?/.exec(String(answer.headers['link'] ?? '')) ?? []
  try {
    return { value: JSON.parse(text), link }
  } catch {
    throw new Failure('BAD_REQUEST', 'The model server sent an invalid listing.')
  }
}

const unverified = (what: string, why: string) => new Failure('MODEL_REF_REJECTED', `${what} cannot be verified: ${why}.`)
