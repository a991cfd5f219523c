import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { loadSeal } from '#control-plane/store/seal.ts'
import { createOwnerSettings, setting } from '#control-plane/store/setting.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const mode = setting({
  key: 'mode',
  access: 'admin',
  schema: z.enum(['a', 'b']),
  fallback: 'a' as const,
  summary: 'A mode.',
  env: 'STUDIO_TTS_BACKEND',
})
const cap = setting({ key: 'cap', access: 'admin', schema: z.object({ cap: z.int().max(10) }), fallback: { cap: 2 }, summary: 'A cap.' })
const on = setting({ key: 'on', access: 'admin', schema: z.boolean(), fallback: false, summary: 'A switch.' })
const token = setting({ key: 'token', access: 'own', schema: z.string().max(100), fallback: '', summary: 'A token.', secret: true })

function open(texts: Record<string, string> = {}) {
  const map = new Map(Object.entries(texts))
  return { map, store: { get: (key: string) => map.get(key) ?? null, set: (key: string, text: string) => void map.set(key, text) } }
}

test('a setting has its fallback until it is written, and keeps strings as they are', async () => {
  const { map, store } = open()
  const settings = createOwnerSettings(store)
  assert.deepEqual([settings.read(mode), settings.read(cap), settings.read(on)], ['a', { cap: 2 }, false])
  await settings.write(mode, 'b')
  await settings.write(cap, { cap: 7 })
  await settings.write(on, true)
  assert.deepEqual([settings.read(mode), settings.read(cap), settings.read(on)], ['b', { cap: 7 }, true])
  assert.deepEqual(
    [...map],
    [
      ['mode', 'b'],
      ['cap', '{"cap":7}'],
      ['on', 'true'],
    ],
  )
})

test('a stored value that this version refuses reads as the fallback, and none is written', async () => {
  const { map, store } = open({ mode: 'c', cap: '{"cap":11}', on: 'no JSON' })
  const settings = createOwnerSettings(store)
  assert.deepEqual([settings.read(mode), settings.read(cap), settings.read(on)], ['a', { cap: 2 }, false])
  assert.equal(settings.stored(mode), null)
  await assert.rejects(settings.write(cap, { cap: 11 }), z.ZodError)
  assert.equal(map.get('cap'), '{"cap":11}')
})

test('the environment overrides what is stored, unless its value is refused', () => {
  const { store } = open({ mode: 'a' })
  assert.equal(createOwnerSettings(store, { STUDIO_TTS_BACKEND: 'b' }).read(mode), 'b')
  const refused = createOwnerSettings(store, { STUDIO_TTS_BACKEND: 'c' })
  assert.deepEqual([refused.override(mode), refused.read(mode)], [null, 'a'])
})

test('a secret is stored encrypted, and another key cannot read it', async (t) => {
  const { map, store } = open()
  const folder = temporaryFolder(t)
  const settings = createOwnerSettings(store, {}, await loadSeal(createFolderKeys(folder), 'key'))
  await settings.write(token, 'hf_canary')
  assert.equal(settings.read(token), 'hf_canary')
  assert.doesNotMatch(map.get('token')!, /canary/)
  assert.doesNotMatch(Buffer.from(map.get('token')!, 'base64').toString('latin1'), /canary/)
  assert.equal(createOwnerSettings(store, {}, await loadSeal(createFolderKeys(folder), 'key')).read(token), 'hf_canary')
  assert.equal(createOwnerSettings(store, {}, await loadSeal(createFolderKeys(folder), 'other')).read(token), '')
  await assert.rejects(createOwnerSettings(store).write(token, 'x'), /no key to encrypt/)
  const sealed = map.get('token')!
  map.set('token', `${sealed.slice(0, -4)}AAAA`)
  assert.equal(settings.read(token), '')
})

test('a rotation encrypts every secret with a new key, and a crash in its middle loses none', async (t) => {
  const { map, store } = open()
  const path = join(temporaryFolder(t), 'key')
  const settings = createOwnerSettings(store, {}, await loadSeal(createFolderKeys(dirname(path)), basename(path)))
  await settings.write(token, 'hf_canary')
  const [oldKey, oldText] = [readFileSync(path), map.get('token')!]
  let isFull = true
  const failing = createOwnerSettings(
    { get: store.get, set: (key, text) => (isFull ? Promise.reject(new Error('the disk is full')) : store.set(key, text)) },
    {},
    await loadSeal(createFolderKeys(dirname(path)), basename(path)),
  )
  await assert.rejects(failing.rotateKey([token, mode]), /disk is full/)
  assert.equal(
    createOwnerSettings(store, {}, await loadSeal(createFolderKeys(dirname(path)), basename(path))).read(token),
    'hf_canary',
    'the old key is kept',
  )
  isFull = false
  assert.equal(await failing.rotateKey([token, mode]), 1)
  assert.equal(createOwnerSettings(store, {}, await loadSeal(createFolderKeys(dirname(path)), basename(path))).read(token), 'hf_canary')
  assert.equal(readFileSync(path).length, 32)
  assert.notDeepEqual(readFileSync(path), oldKey)
  assert.equal(
    (await loadSeal(createFolderKeys(dirname(path)), basename(path))).open(oldText),
    null,
    'the old text cannot be read any more',
  )
})

test('an empty, short or unreadable file of keys opens nothing and breaks nothing', async (t) => {
  const { map, store } = open({ token: 'AAAA'.repeat(20) })
  const folder = temporaryFolder(t)
  for (const [name, bytes] of Object.entries({ empty: '', short: 'x' })) {
    writeFileSync(join(folder, name), bytes)
    const settings = createOwnerSettings(store, {}, await loadSeal(createFolderKeys(folder), name))
    assert.equal(settings.read(token), '')
    await assert.rejects(settings.write(token, 'x'), { code: 'CONFLICT' })
  }
  const unreadable = createOwnerSettings(store, {}, await loadSeal(createFolderKeys(dirname(folder)), basename(folder)))
  assert.equal(unreadable.read(token), '')
  await assert.rejects(unreadable.write(token, 'x'), { code: 'STORAGE_FULL' })
  assert.equal(map.size, 1)
})

test('writes are announced when they are in effect', async () => {
  const settings = createOwnerSettings(open().store)
  const seen: unknown[] = []
  settings.onChange((key) => seen.push([key, settings.read(on)]))
  await settings.write(on, true)
  assert.deepEqual(seen, [['on', true]])
  const full = createOwnerSettings({ get: () => null, set: () => Promise.reject(new Error('full')) })
  full.onChange((key) => seen.push([key]))
  await assert.rejects(full.write(on, true), /full/)
  assert.deepEqual(seen.slice(1), [['on'], ['on']], 'the undone write is announced too')
})

test('two rotations follow each other, so that no key is dropped before what it encrypts was replaced on disk', async (t) => {
  const { map, store } = open()
  const path = join(temporaryFolder(t), 'key')
  await createOwnerSettings(store, {}, await loadSeal(createFolderKeys(dirname(path)), basename(path))).write(token, 'hf_canary')
  const onDisk = new Map(map)
  const waiting: (() => void)[] = []
  const slow = createOwnerSettings(
    {
      get: store.get,
      set(key, text) {
        store.set(key, text)
        return new Promise<void>((resolve) =>
          waiting.push(() => {
            onDisk.set(key, text)
            resolve()
          }),
        )
      },
    },
    {},
    await loadSeal(createFolderKeys(dirname(path)), basename(path)),
  )
  const rotations = [slow.rotateKey([token]), slow.rotateKey([token])]
  for (const rotation of rotations) {
    await eventually(async () => waiting.length > 0)
    waiting.shift()!()
    await rotation
    assert.equal(
      (await loadSeal(createFolderKeys(dirname(path)), basename(path))).open(onDisk.get('token')!),
      'hf_canary',
      'what a crash would leave',
    )
  }
})

test('the texts that reports must not contain are the secrets and the texts inside of them', async (t) => {
  const settings = createOwnerSettings(open().store, {}, await loadSeal(createFolderKeys(temporaryFolder(t)), 'key'))
  const tied = setting({
    key: 'tied',
    access: 'admin',
    schema: z.object({ secret: z.string() }),
    fallback: { secret: '' },
    summary: 'x',
    secret: true,
  })
  await settings.write(tied, { secret: 'canary-inside' })
  await settings.write(token, 'canary-alone')
  await settings.write(cap, { cap: 3 })
  assert.deepEqual(settings.secretTexts(), ['{"secret":"canary-inside"}', 'canary-inside', 'canary-alone'])
})
