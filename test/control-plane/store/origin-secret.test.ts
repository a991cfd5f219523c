// A secret goes only to the origin that it was given for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeSecret, OriginSecret, secretFor, tieSecret } from '#control-plane/store/origin-secret.ts'
import { loadSeal } from '#control-plane/store/seal.ts'
import { createOwnerSettings, setting } from '#control-plane/store/setting.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const URL_A = 'https://api.example/v1'
const tied = tieSecret('s3cret', URL_A)

test('the same origin keeps the secret, however it is written', () => {
  for (const url of [URL_A, 'https://API.example:443/other/path?x=1#y', 'https://user@api.example/'])
    assert.deepEqual([secretFor(tied, url), changeSecret(tied, { url, given: null })], ['s3cret', { tied, isDropped: false }], url)
})

test('another scheme, host or port drops it', () => {
  for (const url of [
    'http://api.example/v1',
    'https://api.example:8443/v1',
    'https://api.example.evil.example/v1',
    'https://api.example@evil.example/v1',
    'https://api.example./v1',
    'file:///etc/passwd',
    'not an address',
    '',
  ])
    assert.deepEqual([secretFor(tied, url), changeSecret(tied, { url, given: null })], [null, { tied: null, isDropped: true }], url)
})

test('a request that brings a secret replaces it, an empty one removes it, and nothing stored is nothing dropped', () => {
  const url = 'https://other.example/v1'
  assert.deepEqual(changeSecret(tied, { url, given: 'new' }), {
    tied: { origin: 'https://other.example', secret: 'new' },
    isDropped: false,
  })
  assert.deepEqual(changeSecret(tied, { url, given: '' }), { tied: null, isDropped: false })
  assert.deepEqual(changeSecret(null, { url, given: null }), { tied: null, isDropped: false })
})

test('as a setting it is stored encrypted', async (t) => {
  const stored = new Map<string, string>()
  const store = { get: (key: string) => stored.get(key) ?? null, set: (key: string, value: string) => void stored.set(key, value) }
  const settings = createOwnerSettings(store, {}, await loadSeal(createFolderKeys(temporaryFolder(t)), 'key'))
  const key = setting({ key: 'test.key', access: 'own', schema: OriginSecret.nullable(), fallback: null, summary: 'A test.', secret: true })
  await settings.write(key, tied)
  assert.ok(![...stored.values()].some((text) => text.includes('s3cret')))
  assert.equal(secretFor(settings.read(key), URL_A), 's3cret')
})
