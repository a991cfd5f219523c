// The size and shape of the tree as functions from a list of files to a list of objections: cycles, folder sizes, factory lengths,
// READMEs, one name per meaning. An empty list means that the rule holds.
import { dirname } from 'node:path'
import { importsOf, type Source } from './source.ts'

export const LIMITS = { fileLines: 400, medianLines: 120, p90Lines: 200, folderFiles: 12, factoryLines: 150, roomFilesWithoutReadme: 6 }

/** Folders whose many files are siblings of one kind: one file per item of a list. The value says which kind. */
export const SIBLINGS: Readonly<Record<string, string>> = {
  bench: 'one bench per file',
  'cli/commands': 'one command per file',
  'shared/operations': 'one operation per file',
  'test/golden': 'one engine per test, and the values that it reads',
}

/**
 * A function that is longer than the limit carries this marker in the comment above it, followed by the reason. Everything in such a
 * factory closes over the same state, and splitting it would pass that state around.
 */
export const LONG_FACTORY_MARKER = 'Long factory:'

const isTest = (path: string) => path.startsWith('test/')
const linesOf = ({ text }: Source) => text.split('\n').length - 1
/** A file that `./studio docs` writes; nobody reads it from the start to the end. */
const isGenerated = (path: string) => path.includes('/generated/')
const isCode = (path: string) => /\.(ts|js)$/.test(path)

/** Distribution of file lengths outside tests, in lines. */
export function fileLengths(sources: readonly Source[]): { files: number; median: number; p90: number; longest: number } {
  const lengths = sources
    .filter(({ path }) => !isTest(path) && !isGenerated(path))
    .map(linesOf)
    .sort((a, b) => a - b)
  const at = (share: number) => lengths[Math.floor(lengths.length * share)] ?? 0
  return { files: lengths.length, median: at(0.5), p90: at(0.9), longest: lengths.at(-1) ?? 0 }
}

export const overlongFiles = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    !isGenerated(source.path) && linesOf(source) > LIMITS.fileLines ? [`${source.path}: ${linesOf(source)} lines`] : [],
  )

/** Import cycles, each reported once. Type imports count; dynamic imports do not, because they are resolved later. */
export function importCycles(sources: readonly Source[]): string[] {
  const next = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ kind }) => kind !== 'dynamic')
        .map(({ target }) => target),
    ]),
  )
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path)
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' -> '))
    if (at >= 0 || finished.has(path)) return
    for (const target of next.get(path) ?? []) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return cycles
}

/** The number of code files directly in each folder. */
function folderSizes(sources: readonly Source[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { path } of sources) if (isCode(path)) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return sizes
}

export const crowdedFolders = (sources: readonly Source[]): string[] =>
  [...folderSizes(sources)].flatMap(([folder, count]) =>
    count > LIMITS.folderFiles && !Object.hasOwn(SIBLINGS, folder) ? [`${folder}: ${count} files`] : [],
  )

/** Folders with more files than a reader takes in at a glance, and without a README that says where to start. */
export function roomsWithoutReadme(sources: readonly Source[]): string[] {
  const documented = new Set(sources.flatMap(({ path }) => (path.endsWith('README.md') ? [dirname(path)] : [])))
  return [...folderSizes(sources.filter(({ path }) => !isTest(path)))].flatMap(([folder, count]) =>
    count > LIMITS.roomFilesWithoutReadme && !documented.has(folder) ? [`${folder}: ${count} files and no README.md`] : [],
  )
}

const FUNCTION_START = /^(?:export )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+) = .*=> \(?\{$/

/** Top-level functions over the limit whose comment does not give the reason. */
export const overlongFactories = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, start) => {
        const [, declared, assigned] = FUNCTION_START.exec(line) ?? []
        const name = declared ?? assigned
        if (name === undefined) return []
        const length = lines.findIndex((later, index) => index > start && /^\}\)?$/.test(later)) - start + 1
        return length > LIMITS.factoryLines && !commentAbove(lines, start).includes(LONG_FACTORY_MARKER)
          ? [`${path}: ${name} has ${length} lines and no "${LONG_FACTORY_MARKER}"`]
          : []
      })
    })

function commentAbove(lines: readonly string[], start: number): string {
  let from = start
  while (/^(\/\/|\/\*\*| \*)/.test(lines[from - 1] ?? '')) from--
  return lines.slice(from, start).join('\n')
}

/** Names that every file of a kind exports: each command has its `run`, each program its `main`. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['run', 'main'])
const EXPORTED = /^export (?:async )?(?:const|let|function\*?|class|type)\s+(\w+)/gm

/** Exported names that two files use for two things. A schema and its type share one name in one file. Each page has a vocabulary of its own. */
export function ambiguousNames(sources: readonly Source[]): string[] {
  const places = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    if (!isTest(path) && !/^(?:bench|control-plane\/web)\//.test(path))
      for (const [, name = ''] of text.matchAll(EXPORTED)) places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places].flatMap(([name, paths]) => (paths.size > 1 && !SHARED_NAMES.has(name) ? [`${name}: ${[...paths].join(', ')}`] : []))
}
