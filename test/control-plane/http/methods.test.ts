import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '#control-plane/http/contract/contract.ts'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { createMethodTable } from '#control-plane/http/mount/methods.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'

const methodsAt = createMethodTable([...CONTRACTS, ...MOUNTED])

test('a path has the methods of its routes, HEAD with GET, and an unknown path none', () => {
  for (const [path, methods] of [
    ['/health', 'GET HEAD'],
    ['/v1/audio/speech', 'POST'],
    ['/history', 'DELETE GET HEAD'],
    ['/history/abc', 'DELETE GET HEAD'],
    ['/history/abc/starred', 'PUT'],
    // None of these is an id or a file name.
    ['/models/install', 'POST'],
    ['/preview/upload', 'POST'],
    ['/engines/translation/health', 'DELETE'],
    ['/engines/kokoro/health', 'GET HEAD'],
    ['/audio/a.wav', 'GET HEAD'],
    ['/', 'GET HEAD'],
    ['/panel/0a1b/app.js', 'GET HEAD'],
    ['/setup/download-stream', 'GET HEAD'],
    ['/nothing', ''],
    ['/history/', ''],
    ['/audio/', ''],
    ['', ''],
    ['/'.repeat(100_000), ''],
  ] as const)
    assert.equal(methodsAt(path).join(' '), methods, path.slice(0, 40))
})

test('every contract is found at its own path', () => {
  for (const { method, path } of CONTRACTS) assert.ok(methodsAt(path.replaceAll(/\{\w+\}/g, 'x')).includes(method), `${method} ${path}`)
  const own = createMethodTable([contract({ id: 'a.b', method: 'PATCH', path: '/a/{b}/c', access: 'open', summary: '', media: [] })])
  assert.deepEqual([own('/a/1/c'), own('/a//c'), own('/a/1/c/d')], [['PATCH'], [], []])
})
