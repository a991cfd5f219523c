// Moves files and folders, and rewrites every import and path that names them: node tools/codemods/move-files.ts TABLE
// A line of the table is `OLD NEW`, paths from the root, of a file or of a folder; the longest OLD that fits a file counts. With an empty
// table it only brings the imports into the form of the house: across rooms `#room/…`, inside a room at most one `../`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { roomOf } from './room.ts'

const ROOT = join(import.meta.dirname, '../..')
const TIMEOUT_MS = 60_000
const CODE = /\.(?:ts|js|tsx)$/
const TEXT = /\.(?:ts|js|tsx|md|json|yaml|yml|txt|py|sh|conf|service|html|css)$|^studio$|Containerfile$/
/** History, and files that a tool writes. */
const KEPT = /^(?:CHANGELOG\.md|package-lock\.json)$/
/** The pages have their own modules, whose addresses the browser sees. */
const WEB = /^control-plane\/web\//
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+(?=['"])|\bdeclare module\s+)(['"])([^'"\n]+)\2/g

type Move = readonly [from: string, to: string]
const table = readTable(process.argv[2])
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28, timeout: TIMEOUT_MS })
  .split('\n')
  .filter(Boolean)
const known: ReadonlySet<string> = new Set(tracked)
const moved = new Map(tracked.map((path) => [path, newPath(path)]))

const collisions = [...Map.groupBy(moved, ([, to]) => to)].filter(([, from]) => from.length > 1)
if (collisions.length > 0) throw new Error(`Two files would have one path: ${collisions.map(([to]) => to).join(', ')}`)

const texts = new Map<string, string>()
for (const path of tracked) {
  if (!TEXT.test(path) || KEPT.test(path) || !existsSync(join(ROOT, path))) continue
  const text = readFileSync(join(ROOT, path), 'utf8')
  const rewritten = renamed(CODE.test(path) ? withImports(path, text) : text)
  if (rewritten !== text) texts.set(path, rewritten)
}
for (const [from, to] of moved) if (from !== to) gitMove(from, to)
for (const [path, text] of texts) writeFileSync(join(ROOT, moved.get(path)!), text)
process.stdout.write(`${[...moved].filter(([from, to]) => from !== to).length} files moved, ${texts.size} rewritten\n`)

function readTable(path: string | undefined): Move[] {
  if (!path) return []
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [from, to] = line.trim().split(/\s+/)
      return from && to && !from.startsWith('#') ? [[from, to] as const] : []
    })
  return rows.sort((a, b) => b[0].length - a[0].length)
}

function newPath(path: string): string {
  const move = table.find(([from]) => path === from || path.startsWith(`${from}/`))
  return move ? move[1] + path.slice(move[0].length) : path
}

function withImports(path: string, text: string): string {
  return text.replace(SPECIFIER, (whole, before: string, quote: string, specifier: string) => {
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier))
      : specifier.startsWith('#')
        ? specifier.slice(1)
        : null
    if (target === null) return whole
    const own = moved.get(path)!
    // A branch that was merged after the move names files by their old paths.
    const other = newPath(target)
    if (!known.has(target) && !known.has(other)) return whole
    const written = WEB.test(own) && WEB.test(other) ? relativeTo(own, other) : specifierOf(own, other)
    return `${before}${quote}${written}${quote}`
  })
}

function relativeTo(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

function specifierOf(from: string, to: string): string {
  const near = relativeTo(from, to)
  return roomOf(from) === roomOf(to) && !near.startsWith('../../') ? near : `#${to}`
}

/** Paths in comments, documents and strings. */
function renamed(text: string): string {
  let result = text
  for (const [from, to] of table) {
    if (!from.includes('/')) continue
    for (const [old, now] of [
      [from, to],
      [from.replaceAll('/', '\\/'), to.replaceAll('/', '\\/')],
    ] as const)
      if (result.includes(old)) result = result.replace(new RegExp(`(?<![\\w/-])${escaped(old)}(?![\\w-])`, 'g'), now)
  }
  return result
}
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function gitMove(from: string, to: string): void {
  mkdirSync(dirname(join(ROOT, to)), { recursive: true })
  execFileSync('git', ['mv', from, to], { cwd: ROOT, timeout: TIMEOUT_MS })
}
