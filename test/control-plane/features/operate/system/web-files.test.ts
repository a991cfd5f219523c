// The files of the web pages as browsers receive them: compressed where they accept it, and once while they have not changed.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  answerWith,
  brotliOf,
  listWebFiles,
  versionOf,
  WEB_FOLDER,
  withoutComments,
} from '#control-plane/features/operate/system/web-files.ts'

const always = { 'x-content-type-options': 'nosniff' }
const files = listWebFiles()
const file = files.get('app.js')!
const answer = (headers: Record<string, string>, of = file) => answerWith(of, headers, { cache: 'immutable', always })

test('a file is compressed where gzip is accepted', () => {
  for (const header of ['gzip', 'deflate, GZIP;q=0.5', 'gzip, deflate, zstd']) {
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

test('the smallest form is sent once it is made', async () => {
  const small = await brotliOf(file.body)
  assert.deepEqual(brotliDecompressSync(small), Buffer.from(file.body))
  assert.ok(small.length < file.gzip().length)
  const made = { ...file, brotli: () => small }
  const { body, headers } = answer({ 'accept-encoding': 'gzip, br' }, made)
  assert.deepEqual([headers!['content-encoding'], body], ['br', small])
  assert.equal(answer({ 'accept-encoding': 'gzip, br;q=0' }, made).headers!['content-encoding'], 'gzip')
  assert.equal(answer({ 'accept-encoding': 'gzip, br' }).headers!['content-encoding'], 'gzip', 'until then')
})

test('a file that the browser has is not sent again, in any encoding', () => {
  const tag = String(answer({}).headers!['etag'])
  assert.match(tag, /^W\/"[0-9a-f]{32}"$/)
  for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
    const { status, type, body, headers } = answer({ 'if-none-match': known, 'accept-encoding': 'gzip' })
    assert.deepEqual([status, type, (body as Uint8Array).length, headers!['etag']], [304, '', 0, tag])
  }
  assert.equal(answer({ 'if-none-match': '"other"' }).status, undefined)
})

test('modules are sent with the same code, without comments', { timeout: 120_000 }, () => {
  const code = (text: string) => stripTypeScriptTypes(text, { mode: 'transform' })
  const own = readdirSync(WEB_FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  assert.ok(own.length > 100)
  for (const name of own) {
    const text = readFileSync(join(WEB_FOLDER, name), 'utf8')
    assert.ok(code(withoutComments(text)) === code(text), name)
  }
  for (const [name, { body }] of files) {
    if (!name.endsWith('.js') || /^(?:library|sign-in)\//.test(name)) continue
    const text = Buffer.from(body).toString()
    assert.ok(code(text).length > 0, `${name} can be parsed`)
    assert.doesNotMatch(text, /\/\*\*|^ *\/\//m, name)
    assert.doesNotMatch(
      text.replaceAll(/^import .* from '(?:[a-z/]+|\.[^']*\/app\.js)'$/gm, ''),
      /^import |\} from '/m,
      `${name} imports the frame and libraries only`,
    )
  }
})

test('the version changes with each file', () => {
  const changed = new Map([...files, ['app.js', { ...file, digest: '0'.repeat(32) }]])
  assert.match(versionOf(files), /^[0-9a-f]{16}$/)
  assert.notEqual(versionOf(changed), versionOf(files))
  assert.equal(versionOf(listWebFiles()), versionOf(files))
})

test('the first view of each page keeps its budget of requests and of compressed bytes', () => {
  const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + files.get(name)!.gzip().length, 0)
  const text = (name: string) => Buffer.from(files.get(name)!.body).toString()
  /** What runs the module that a response is for. */
  const scopeOf = (name: string) => `${/= (loaded\[\d+\])\n$/.exec(text(name))![1]} ??=`
  const frame = ['app.js', ...['preact', 'preact-hooks', 'htm'].map((name) => `library/${name}.js`)]
  for (const name of [...files.keys()].filter((one) => /^pages\/[^/]+\/page\.js$/.test(one))) {
    // Two requests hold what a page needs beside the libraries of the frame.
    assert.deepEqual(
      [...text(name).matchAll(/^import .* from '([^']+)'$/gm)].map(([, from]) => from),
      ['../../app.js'],
      name,
    )
    assert.ok(bytes([...frame, name]) <= 90_000, `${name}: ${bytes([...frame, name])} bytes`)
    assert.ok(text(name).includes(scopeOf(name)), name)
    assert.ok(!text('app.js').includes(scopeOf(name)), 'pages are loaded when they are opened')
  }
  assert.ok(bytes(['styles/studio.css']) <= 20_000)
})
