// The files of the web pages as browsers receive them: compressed where they accept it, and once while they have not changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { answerWith, listWebFiles } from '#control-plane/areas/system/web-files.ts'

const ALWAYS = { 'x-content-type-options': 'nosniff' }
const file = listWebFiles().get('app.js')!
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
