import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileIn, isFileName, privateFolder, replaceFile, syncPath, writeAtomic } from '#shared/runtime/file.ts'
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

test('on Windows no folder is flushed, and a file is flushed without a change', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'key')
  writeAtomic(path, 'kept')
  for (const platform of ['win32', process.platform] as const) {
    await syncPath(folder, platform)
    await syncPath(path, platform)
    await assert.rejects(syncPath(join(folder, 'missing'), platform), { code: 'ENOENT' })
  }
  assert.equal(readFileSync(path, 'utf8'), 'kept')
})

test('a file that another program holds is replaced when it is free, and only Windows tries again', () => {
  const failing = (code: string, times: number) => {
    let calls = 0
    const rename = () => {
      if (calls++ < times) throw Object.assign(new Error(code), { code })
    }
    return { rename, calls: () => calls }
  }
  const held = failing('EPERM', 2)
  replaceFile('a', 'b', { platform: 'win32', rename: held.rename })
  assert.equal(held.calls(), 3)
  for (const [platform, code, most] of [
    ['win32', 'EACCES', 21],
    ['win32', 'ENOENT', 1],
    ['linux', 'EPERM', 1],
  ] as const) {
    const never = failing(code, Number.POSITIVE_INFINITY)
    assert.throws(() => replaceFile('a', 'b', { platform, rename: never.rename }), { code })
    assert.equal(never.calls(), most, code)
  }
})

test('a name is a file in its folder or refused', () => {
  for (const name of ['a.wav', '.hidden', '...', 'a..b', 'ä b', 'x'.repeat(255)]) assert.equal(fileIn('/data', name), `/data/${name}`)
  for (const name of ['', '.', '..', '/', '/etc/passwd', '../x', 'a/b', 'a/', 'a/..', 'a\0b'])
    assert.throws(() => fileIn('/data', name), /is not the name of a file\.$/, JSON.stringify(name))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.constantFrom('..', '.', '/', 'a', '\\', '\0')).map((parts) => parts.join('')),
      ),
      (name) => {
        if (isFileName(name)) assert.equal(dirname(fileIn('/data', name)), '/data')
        else assert.throws(() => fileIn('/data', name))
      },
    ),
  )
})
