// Size of an installation for users: the packages that run, without those for developers and without binaries for other systems.
import assert from 'node:assert/strict'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
const LIMIT_MB = 300
const RUNTIMES = join('onnxruntime-node', 'bin', 'napi-v6')
const OWN_RUNTIME = join(RUNTIMES, process.platform, process.arch)

type Locked = { readonly dev?: boolean; readonly link?: boolean; readonly optional?: boolean }
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }

/** Bytes of a folder without packages below it; 0 for a folder that is not there. */
function sizeOf(folder: string): number {
  const entries = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder, { withFileTypes: true }) : []
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.name === 'node_modules') return sum
    if (entry.isDirectory()) return sum + sizeOf(path)
    const isForeign = path.includes(RUNTIMES + sep) && !path.includes(OWN_RUNTIME + sep)
    return isForeign ? sum : sum + lstatSync(path).size
  }, 0)
}
const megabytes = (bytes: number): number => bytes / 1e6

test('the packages that run have at most 300 MB', (t) => {
  const sizes = Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path]) => [path, megabytes(sizeOf(join(ROOT, path)))] as const)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  t.diagnostic(`${sizes.length} packages, ${total.toFixed(0)} MB`)
  assert.ok(total > 100, 'the packages are installed')
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 10)
  assert.ok(
    total <= LIMIT_MB,
    `${total.toFixed(0)} MB; the largest: ${largest.map(([path, size]) => `${path} ${size.toFixed(0)}`).join(', ')}`,
  )
})

test('the sizes that the reasons for dependencies name are those on disk', () => {
  const document = readFileSync(join(ROOT, 'docs/adr/0001-dependencies.md'), 'utf8')
  const rows = [...document.matchAll(/^\| (@?[a-z][\w/.-]*) \|[^|]*\| (\d+(?:\.\d+)?) MB/gm)]
  assert.ok(rows.length > 20)
  const wrong = rows.flatMap(([, name = '', stated]) => {
    const size = megabytes(sizeOf(join(ROOT, 'node_modules', name)))
    const difference = Math.abs(size - Number(stated))
    return difference <= Math.max(0.3, 0.25 * size) ? [] : [`${name}: ${stated} MB in the document, ${size.toFixed(1)} MB on disk`]
  })
  assert.deepEqual(wrong, [])
})
