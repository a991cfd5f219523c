import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVariables } from '#control-plane/features/operate/system/environment/variables.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'

const seal = { open: (text: string) => text, close: (text: string) => text, addKey: async () => {}, dropOldKeys: async () => {} }

test('proxies make an environment for child processes that never covers this machine', async () => {
  const variables = createVariables({ settings: createOwnerSettings(createFakeSettings(), {}, seal) })
  assert.deepEqual([variables.proxyEnvironment(), variables.proxy()], [{}, ''])
  await variables.set('all_proxy', 'http://all.example:1')
  await variables.set('HTTPS_PROXY', ' http://secure.example:2 ')
  assert.deepEqual(variables.proxyEnvironment(), {
    HTTP_PROXY: 'http://all.example:1',
    HTTPS_PROXY: 'http://secure.example:2',
    NO_PROXY: 'localhost,127.0.0.1,::1',
    NODE_USE_ENV_PROXY: '1',
  })
  assert.equal(variables.proxy(), 'http://secure.example:2')
  await variables.set('all_proxy', '')
  await variables.set('HTTPS_PROXY', '')
  assert.deepEqual(variables.proxyEnvironment(), {})
})

test('a chosen port counts unless the environment names one', async () => {
  const variables = createVariables({ settings: createOwnerSettings(createFakeSettings(), {}, seal) })
  assert.equal(variables.port({ port: 3900, isPortSet: false }), 3900)
  await variables.set('VOICESTUDIO_PORT', '4000')
  assert.equal(variables.port({ port: 3900, isPortSet: false }), 4000)
  assert.equal(variables.port({ port: 3900, isPortSet: true }), 3900)
  await assert.rejects(variables.set('VOICESTUDIO_PORT', '80'), /must be a port from 1024 to 65535/)
  await assert.rejects(variables.set('LD_PRELOAD', '/x'), /cannot be set/)
})

test('values with control characters, of other schemes and of other lengths are refused without being repeated', async () => {
  const variables = createVariables({ settings: createOwnerSettings(createFakeSettings(), {}, seal) })
  for (const [name, value] of [
    ['TRANSLATE_API_KEY', 'canary\u0000x'],
    ['DEEPL_API_KEY', 'canary\u001bx'],
    ['HTTP_PROXY', 'http://canary.example\n'.repeat(2)],
    ['HTTP_PROXY', 'file:///canary'],
    ['TRANSLATE_BASE_URL', 'canary'],
    ['TRANSLATE_MODEL', 'canary'.repeat(400)],
  ] as const)
    await assert.rejects(variables.set(name, value), ({ code, message }: Failure) => code === 'BAD_REQUEST' && !message.includes('canary'))
})

test('a key is not used for another server than the one it was entered for', async () => {
  const variables = createVariables({ settings: createOwnerSettings(createFakeSettings(), {}, seal) })
  for (const [address, key] of [
    ['DEEPL_BASE_URL', 'DEEPL_API_KEY'],
    ['MICROSOFT_BASE_URL', 'MICROSOFT_API_KEY'],
    ['TRANSLATE_BASE_URL', 'TRANSLATE_API_KEY'],
  ] as const) {
    await variables.set(key, 'canary')
    assert.deepEqual(await variables.set(address, 'https://one.example/a'), { key: address, set: true, removed: [key] })
    assert.equal(variables.get(key), '')
    await variables.set(key, 'canary')
    assert.deepEqual(await variables.set(address, 'https://ONE.example:443/b'), { key: address, set: true })
    assert.equal(variables.get(key), 'canary')
    for (const other of ['http://one.example', 'https://one.example:8443', 'https://one.example.other', 'https://one.example@other', '']) {
      assert.deepEqual((await variables.set(address, other)).removed, [key], other)
      assert.equal(variables.get(key), '')
      await Promise.all([variables.set(address, 'https://one.example'), variables.set(key, 'canary')])
      assert.equal(variables.get(key), 'canary', 'entered after the address')
    }
    // Entered before the change has ended: it belongs to the earlier address.
    await Promise.all([variables.set(key, 'other'), variables.set(address, 'https://two.example')])
    assert.equal(variables.get(key), '')
  }
})
