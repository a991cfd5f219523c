import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('a file is replaced atomically, is private and leaves no temporary file', (t) => {
  const folder = privateFolder(join(temporaryFolder(t), 'a', 'b'))
  const path = join(folder, 'key')
  writeAtomic(path, 'first, and longer')
  writeAtomic(path, Buffer.from('second'))
  assert.deepEqual([readFileSync(path, 'utf8'), readdirSync(folder)], ['second', ['key']])
  assert.deepEqual([statSync(path).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700])
  writeAtomic(path, 'open', 0o644)
  assert.equal(statSync(path).mode & 0o777, 0o644)
})

test('a failed write keeps the old file', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'taken'))
  assert.throws(() => writeAtomic(join(folder, 'taken'), 'x'))
  assert.throws(() => writeAtomic(join(folder, 'missing', 'x'), 'x'), { code: 'ENOENT' })
  assert.ok(statSync(join(folder, 'taken')).isDirectory())
})
