import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWeak } from '#shared/protocol/access/key-strength.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { studio } from '#test/support/world/cli.ts'

test('key create prints a new key, and nothing else, which a studio in server mode accepts', async () => {
  const keys = new Set<string>()
  for (let turn = 0; turn < 2; turn++) {
    const { code, output, errors } = await studio(['key', 'create'], { env: {} })
    assert.deepEqual([code, errors], [0, ''])
    assert.match(output, /^[0-9a-f]{64}\n$/)
    keys.add(output.trim())
  }
  assert.equal(keys.size, 2)
  for (const key of keys) {
    assert.equal(isWeak(key), false)
    assert.equal(readSettings({ HOME: '/h', STUDIO_SERVER_MODE: '1', STUDIO_API_KEY: key }).apiKey, key)
  }
  for (const args of [['key'], ['key', 'make'], ['key', 'create', 'x']]) assert.equal((await studio(args, { env: {} })).code, 2)
})
