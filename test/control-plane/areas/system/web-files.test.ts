// The files of the web pages as browsers receive them: compressed where they accept it, and once while they have not changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { answerWith, listWebFiles, modulesOf } from '#control-plane/areas/system/web-files.ts'

const ALWAYS = { 'x-content-type-options': 'nosniff' }
const files = listWebFiles()
const file = files.get('app.js')!
const answer = (headers: Record<string, string>) => answerWith(file, headers, ALWAYS)

test('a file is compressed where gzip is accepted', () => {
  for (const header of ['gzip', 'br, GZIP;q=0.5', 'gzip, deflate, br, zstd']) {
    const { type, body, headers } = answer({ 'accept-encoding': header })
    assert.equal(headers!['content-encoding'], 'gzip', header)
    assert.deepEqual(gunzipSync(body as Uint8Array), Buffer.from(file.body))
    assert.ok((body as Uint8Array).length < file.body.length / 2)
    assert.deepEqual([type, headers!['vary'], headers!['x-content-type-options']], [file.type, 'accept-encoding', 'nosniff'])
  }
  for (const header of ['', 'identity', 'gzip;q=0', 'gzip;q=x', 'xgzip', 'br', ','.repeat(10_000)]) {
    const { body, headers } = answer({ 'accept-encoding': header })
    assert.deepEqual([headers!['content-encoding'], body], [undefined, file.body], header)
  }
})

test('a file that the browser has is not sent again, in the same encoding only', () => {
  const plain = String(answer({}).headers!['etag'])
  const compressed = String(answer({ 'accept-encoding': 'gzip' }).headers!['etag'])
  assert.notEqual(plain, compressed)
  for (const known of [plain, `W/${plain}`, `"other", ${plain}`]) {
    const { status, type, body, headers } = answer({ 'if-none-match': known })
    assert.deepEqual([status, type, (body as Uint8Array).length, headers!['etag']], [304, '', 0, plain])
  }
  assert.equal(answer({ 'if-none-match': plain, 'accept-encoding': 'gzip' }).status, undefined)
  assert.equal(answer({ 'if-none-match': '"other"' }).status, undefined)
})

test('the first view of each page keeps its budget of modules and of compressed bytes', () => {
  const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + files.get(name)!.compressed().length, 0)
  const frame = modulesOf(files, 'app.js')
  assert.ok(frame.length <= 30, `the frame has ${frame.length} modules`)
  assert.deepEqual(
    frame.filter((name) => /^pages|^library\/(?:uplot|wavesurfer|uqr)/.test(name)),
    [],
    'pages and what only some of them need are loaded when they are opened',
  )
  for (const name of [...files.keys()].filter((one) => /^pages\/[^/]+\/page\.js$/.test(one))) {
    const needed = new Set([...frame, ...modulesOf(files, name)])
    assert.ok(bytes(needed) <= 90_000, `${name}: ${bytes(needed)} bytes`)
  }
  const home = new Set([...frame, ...modulesOf(files, 'pages/home/page.js')])
  assert.ok(home.size <= 36, `Home has ${home.size} modules`)
  assert.ok(bytes(['styles/studio.css']) <= 20_000)
})

test('a library that is a script is sent as a module', () => {
  const text = Buffer.from(files.get('library/uplot.js')!.body).toString()
  assert.match(text, /^var uPlot=/m)
  assert.ok(text.endsWith('\nexport default uPlot\n'))
})
