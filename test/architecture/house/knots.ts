// Circles between the rooms of a folder, and the form of imports, as functions from a list of files to a list of objections.
import { roomOf } from '#tools/codemods/room.ts'
import { type Import, importsOf, type Source } from '../source.ts'

/** Folders whose subfolders are rooms that build on each other. The files beside them count as one more room, `.`. */
export const FLOORS: readonly string[] = [
  '',
  'agent',
  'agent/engine',
  'cli',
  'control-plane',
  'control-plane/features',
  'control-plane/features/dubbing',
  'control-plane/http',
  'control-plane/media',
  'control-plane/media/film',
  'shared',
  'tools',
]

/** The rooms of `folder` that reach themselves by imports, types included, with the imports that close the circle. */
export function knotOf(sources: readonly Source[], folder: string): string[] {
  const files = new Set(sources.map(({ path }) => path))
  const roomIn = (path: string): string | undefined => {
    if (folder !== '' && !path.startsWith(`${folder}/`)) return undefined
    const rest = folder === '' ? path : path.slice(folder.length + 1)
    return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : '.'
  }
  const arrows = new Map<string, Map<string, string>>()
  for (const source of sources)
    for (const { target, kind } of importsOf(source)) {
      const [from, to] = [roomIn(source.path), roomIn(target)]
      if (kind === 'dynamic' || from === undefined || to === undefined || from === to || !files.has(target)) continue
      const row = arrows.get(from) ?? arrows.set(from, new Map()).get(from)!
      if (!row.has(to)) row.set(to, `${source.path} -> ${target}`)
    }
  const reached = new Map([...arrows.keys()].map((room) => [room, reachedFrom(room, arrows)]))
  return [...arrows].flatMap(([from, row]) => [...row].flatMap(([to, text]) => (reached.get(to)?.has(from) ? [text] : [])))
}

function reachedFrom(start: string, arrows: ReadonlyMap<string, ReadonlyMap<string, string>>): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let room = open.pop(); room !== undefined; room = open.pop())
    for (const next of arrows.get(room)?.keys() ?? [])
      if (!seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
  return seen
}

/** Relative imports of a file of `sources` that leave their room or climb more than one folder: such a file is named by `#room/…`. */
export function farRelativeImports(sources: readonly Source[]): string[] {
  const files = new Set(sources.map(({ path }) => path))
  const isFar = (path: string, { specifier, target }: Import) =>
    specifier.startsWith('../../') || (specifier.startsWith('.') && roomOf(path) !== roomOf(target))
  return sources.flatMap((source) =>
    importsOf(source).flatMap((one) => (files.has(one.target) && isFar(source.path, one) ? [`${source.path}: ${one.specifier}`] : [])),
  )
}
