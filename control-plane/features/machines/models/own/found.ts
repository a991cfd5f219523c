// Downloads of other programs on this machine: the repositories in a cache of the hub that have ONNX graphs. Nothing is read but names and
// sizes; the files are copied when one is added, because the cache belongs to others, who may change it.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { filesOfPath, type OfferedFile } from './offered-files.ts'
import type { FoundModel } from './own.contract.ts'

const PREFIX = 'models--'
const PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/
const REVISION = /^[0-9a-f]{40}$/
const MAX_REPOSITORIES = 200
const isGraph = ({ name }: OfferedFile) => name.endsWith('.onnx')
const configOf = (files: readonly OfferedFile[], { name }: OfferedFile) => files.find((file) => file.name === `${name}.json`)
type Candidate = FoundModel & { readonly files: readonly OfferedFile[] }

/** `cache`: the folder that contains `models--owner--name`; null for none. */
export function createFound(cache: string | null) {
  async function candidates(signal: AbortSignal): Promise<Candidate[]> {
    if (cache === null) return []
    const names = (await readdir(cache).catch(() => [])).filter((name) => repositoryOf(name) !== null).sort()
    const found: Candidate[] = []
    for (const name of names.slice(0, MAX_REPOSITORIES)) found.push(...(await candidatesIn(cache, name, signal)))
    return found
  }
  return {
    list: async (signal: AbortSignal): Promise<FoundModel[]> => (await candidates(signal)).map(({ files: _, ...row }) => row),
    /** Throws NOT_FOUND. */
    async files(id: string, signal: AbortSignal): Promise<readonly OfferedFile[]> {
      const one = (await candidates(signal)).find((each) => each.id === id)
      if (one) return one.files
      throw new Failure('NOT_FOUND', 'This model is not on this machine any more. Read the list again.')
    },
  }
}

/** `owner/name` of the folder of a repository; null for another folder. */
function repositoryOf(folder: string): string | null {
  const [prefix, owner = '', ...name] = folder.split('--')
  if (`${prefix}--` !== PREFIX || !PART.test(owner) || !PART.test(name.join('--'))) return null
  return `${owner}/${name.join('--')}`
}

/** One for a repository, or one for each voice in a repository of Piper. None for one that cannot be read. */
async function candidatesIn(cache: string, name: string, signal: AbortSignal): Promise<Candidate[]> {
  const folder = fileIn(cache, name)
  const repo_id = repositoryOf(name) ?? ''
  const revision = await revisionOf(folder)
  const files = revision === null ? [] : await filesOfPath(fileIn(join(folder, 'snapshots'), revision), signal).catch(() => [])
  const graphs = files.filter(isGraph)
  const voices = graphs.filter((graph) => configOf(files, graph))
  const of = (id: string, label: string, some: readonly OfferedFile[]): Candidate => ({
    id,
    label: cleanLine(label).slice(0, 200),
    repo_id,
    size_bytes: some.reduce((sum, { size }) => sum + size, 0),
    nb_files: some.length,
    files: some,
  })
  if (voices.length > 0)
    return voices.map((graph) => {
      const short = graph.name.slice(graph.name.lastIndexOf('/') + 1, -'.onnx'.length)
      return of(`${repo_id}:${short}`.slice(0, 300), `${repo_id}: ${short}`, [graph, configOf(files, graph)!])
    })
  return graphs.length === 0 ? [] : [of(repo_id, repo_id, files)]
}

/** The one that the branch main names, else the newest. */
async function revisionOf(folder: string): Promise<string | null> {
  const main = (await readFile(join(folder, 'refs/main'), 'utf8').catch(() => '')).trim()
  if (REVISION.test(main)) return main
  const revisions = (await readdir(join(folder, 'snapshots')).catch(() => [])).filter((name) => REVISION.test(name))
  const dated = await Promise.all(
    revisions.map(async (name) => ({ name, at: (await stat(fileIn(join(folder, 'snapshots'), name)).catch(() => null))?.mtimeMs ?? 0 })),
  )
  return dated.sort((left, right) => right.at - left.at)[0]?.name ?? null
}
