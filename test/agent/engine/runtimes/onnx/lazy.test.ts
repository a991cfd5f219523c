import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { noFiles } from '#agent/models/manifest.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { mixing } from '#test/support/models/planted-graphs.ts'
import { filesIn } from './folder.ts'

const nativeLibraries = () =>
  (process.report.getReport() as unknown as { sharedObjects: string[] }).sharedObjects.filter((path) => /onnxruntime|sherpa/.test(path))

test('the agent that describes its engines has not loaded the native runtime; a host that opens a graph has', async (t) => {
  for (const row of catalog(true)) row.create({ clock: systemClock, path: '', filesOf: noFiles }).describe()
  assert.deepEqual(nativeLibraries(), [])
  const file = filesIn(t, { 'graph.onnx': mixing(false) }).get('graph.onnx')!
  const contract = { inputs: [{ name: 'x', type: 'float32' as const, rank: 3 }], outputs: [] }
  await (await openGraph(file, { device: 'cpu', contract })).close()
  assert.ok(nativeLibraries().length > 0)
})

test('only one file names the native speech library, and it is loaded lazily', () => {
  const room = join(import.meta.dirname, '../../../../../agent')
  const naming = readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && /['"]sherpa-onnx-node/.test(readFileSync(join(room, path), 'utf8')))
    .map((path) => path.replaceAll('\\', '/'))
  assert.deepEqual(naming.sort(), ['engine/runtimes/sherpa/library.ts', 'engine/runtimes/sherpa/modules.d.ts'])
  const library = readFileSync(join(room, 'engine/runtimes/sherpa/library.ts'), 'utf8')
  assert.doesNotMatch(library, /^import .*sherpa-onnx-node/m)
})
