import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keepFile } from '#control-plane/media/keep-file.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('two writes of one file at once both succeed, and the file is one of them', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'file')
  const held = Promise.withResolvers<void>()
  async function* slow() {
    yield Buffer.from('slow')
    await held.promise
    yield Buffer.from(' end')
  }
  const first = keepFile(path, slow())
  await keepFile(path, Buffer.from('quick'))
  assert.equal(readFileSync(path, 'utf8'), 'quick')
  held.resolve()
  await first
  assert.equal(readFileSync(path, 'utf8'), 'slow end')
  assert.deepEqual(readdirSync(folder), ['file'])
})
