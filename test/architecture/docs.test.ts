import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DOCUMENTS, staleDocuments } from '#cli/lib/documents.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import { diagram, PHASES } from '#shared/protocol/task.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

test('every generated document says what the code says', async () => {
  assert.deepEqual(
    DOCUMENTS.map(({ path }) => path),
    ['docs/errors.md', 'docs/task-lifecycle.md', 'docs/openapi.json', 'docs/settings.md', 'test/architecture/access.txt'],
  )
  assert.deepEqual(await staleDocuments(), [], 'run ./studio docs')
})

test('the life of a task is drawn whole and each phase explained', () => {
  const text = read('docs/task-lifecycle.md')
  assert.ok(text.includes(diagram()))
  for (const phase of PHASES) assert.match(text, new RegExp(`^\\| ${phase} \\| .{20,} \\|$`, 'm'))
})

test('every failure code has its row', () => {
  const text = read('docs/errors.md')
  for (const [code, { http }] of Object.entries(FAILURES)) assert.match(text, new RegExp(`^\\| ${code} \\| \\w+ \\| ${http} \\|`, 'm'))
})

test('the description of the API resolves all its references', () => {
  const text = read('docs/openapi.json')
  const { components, paths } = JSON.parse(text) as { components: { schemas: Record<string, unknown> }; paths: Record<string, object> }
  const references = [...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, target = '']) => target)
  assert.ok(references.length > 20)
  for (const target of references) assert.ok(Object.hasOwn(components.schemas, target.replace('#/components/schemas/', '')), target)
  assert.ok('post' in paths['/v1/audio/speech']!)
})
