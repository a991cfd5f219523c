import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseBucketAddress, readBucketCredentials } from '#control-plane/store/s3/address.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('a bucket is named by a URL, and one that others could read or that shows credentials is refused', () => {
  const amazon = { endpoint: null, bucket: 'voices', region: 'eu-central-1' }
  assert.deepEqual(parseBucketAddress('s3://voices?region=eu-central-1'), amazon)
  const own = { endpoint: 'https://storage.example.com:8443', bucket: 'voices', region: 'us-east-1' }
  assert.deepEqual(parseBucketAddress('https://storage.example.com:8443/voices/'), own)
  assert.equal(parseBucketAddress('http://127.0.0.1:9000/voices').endpoint, 'http://127.0.0.1:9000')
  for (const [text, message] of [
    ['voices', /is not a URL/],
    ['https://storage.example.com', /no valid name of a bucket/],
    ['https://storage.example.com/a/b', /no valid name of a bucket/],
    ['https://key:canary@storage.example.com/voices', /contains credentials/],
    ['http://storage.example.com/voices', /must begin with https:/],
    ['ftp://storage.example.com/voices', /does not begin with https: or s3:/],
    ['s3://voices?region=../x', /no valid region/],
    [`https://storage.example.com/${'a'.repeat(600)}`, /is not a URL/],
  ] as const)
    assert.throws(
      () => parseBucketAddress(text),
      (error: Error & { code: string }) => {
        assert.deepEqual([error.code, error.message.includes('canary')], ['BAD_REQUEST', false])
        assert.match(error.message, message)
        return true
      },
    )
})

test('credentials are lines of a file, whose text is in no message', (t) => {
  const path = join(temporaryFolder(t), 'credentials')
  const refused = (message: RegExp) =>
    assert.throws(
      () => readBucketCredentials(path),
      (error: Error & { code: string }) => {
        assert.deepEqual([error.code, error.message.includes('canary')], ['AUTH_FAILED', false])
        assert.match(error.message, message)
        return true
      },
    )
  refused(/ENOENT/)
  for (const text of ['', 'canary', 'canary\na\nb\nc']) {
    writeFileSync(path, text)
    refused(/two or three lines/)
  }
  writeFileSync(path, 'canary'.repeat(2_000))
  refused(/too long/)
  writeFileSync(path, 'id\r\nsecret\n\n')
  assert.deepEqual(readBucketCredentials(path), { accessKeyId: 'id', secretAccessKey: 'secret' })
  writeFileSync(path, 'id\nsecret\ntoken')
  assert.equal(readBucketCredentials(path).sessionToken, 'token')
})
