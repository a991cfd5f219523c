// Files whose publisher names a size and an MD5 only: nothing else is accepted, and their SHA-256 is recorded.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readModelManifest } from '#agent/models/manifest.ts'
import { hasPins } from '#shared/models/model.ts'
import { from } from '#shared/models/rows.ts'
import { openModelServer, REVISION, sha256, weights } from '#test/support/doubles/model-server.ts'
import { install, openStore, REPO, SMALL } from './open-store.ts'

const GRAPH = 'pt/pt_PT/tugão/medium/pt_PT-tugão-medium.onnx'
const CONFIG = `${GRAPH}.json`
const FILES: Readonly<Record<string, Buffer>> = { [GRAPH]: weights('graph', 70_000), [CONFIG]: Buffer.from('{}') }
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
const modelOf = (files: Readonly<Record<string, Buffer>>) => ({
  ...SMALL,
  sources: [
    from(
      REPO,
      Object.entries(files).map(([path, bytes]) => ({ path, size: bytes.length, sha256: null, md5: md5(bytes) })),
    ),
  ],
})

test('a file with the known size and MD5 is installed without the listing of the server, and its SHA-256 is recorded', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const model = modelOf(FILES)
  assert.ok(hasPins(model))
  const { store, folder } = openStore(t, server.url, { models: [model] })
  assert.equal((await install(store)).at(-1)!.phase, 'install_done')
  assert.equal(server.asked.filter(({ path }) => path.includes('/tree/')).length, 0)
  const files = store.filesOf('small', '')!
  for (const [name, path] of files) assert.ok(readFileSync(path).equals(FILES[name]!), name)
  const manifest = readModelManifest(join(folder, 'small/default'))!
  assert.deepEqual(
    manifest.files.map(({ path, sha256: digest }) => [path, digest]),
    Object.entries(FILES).map(([path, bytes]) => [path, sha256(bytes)]),
  )
})

test('a file of the same size with another MD5 is refused', async (t) => {
  const other = { ...FILES, [GRAPH]: weights('other', 70_000) }
  const server = await openModelServer(t, { [REPO]: other })
  const { store } = openStore(t, server.url, { models: [modelOf(FILES)] })
  const last = (await install(store)).at(-1)!
  assert.deepEqual([last.phase, last.code], ['install_error', 'INPUT_CORRUPT'])
  assert.equal(store.filesOf('small', ''), null)
  assert.ok(server.count(`/${REPO}/resolve/${REVISION}/${GRAPH}`) > 1, 'another download may help')
})
