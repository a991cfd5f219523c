import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createVoiceCache } from '#agent/engine/speech/voice-cache.ts'

const recording = Buffer.from('a voice')
const digest = createHash('sha256').update(recording).digest('hex')

function open(most?: number) {
  const cache = createVoiceCache<number>(most)
  let made = 0
  const of = (owner: string, bytes: Uint8Array = recording, variant = '') =>
    cache.of({ owner, recording: bytes, variant }, async () => ++made)
  return { cache, of }
}

test('a voice is encoded once for each owner, recording and variant', async () => {
  const { of } = open()
  assert.deepEqual([await of('a'), await of('a'), await of('b'), await of('a', recording, 'en'), await of('a')], [1, 1, 2, 3, 1])
  assert.equal(await of('a', Buffer.from('another voice')), 4)
})

test('the voice that was used longest ago leaves first', async () => {
  const { of } = open(2)
  const [one, two, three] = ['1', '2', '3'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
  assert.deepEqual([await of('a', one), await of('a', two), await of('a', one), await of('a', three)], [1, 2, 1, 3])
  assert.deepEqual([await of('a', one), await of('a', two)], [1, 4])
})

test('an owner has one recording forgotten, or all of them, and other owners keep theirs', async () => {
  const { cache, of } = open()
  const other = Buffer.from('another voice')
  assert.deepEqual([await of('a'), await of('a', recording, 'en'), await of('a', other), await of('b')], [1, 2, 3, 4])
  cache.forget('a', [digest])
  assert.deepEqual([await of('a', other), await of('b'), await of('a'), await of('a', recording, 'en')], [3, 4, 5, 6])
  cache.forget('a', null)
  assert.deepEqual([await of('b'), await of('a'), await of('a', other)], [4, 7, 8])
})

test('a voice that is forgotten while it is encoded is not kept', async () => {
  const cache = createVoiceCache<string>()
  const encoding = Promise.withResolvers<string>()
  const voice = { owner: 'a', recording }
  const first = cache.of(voice, () => encoding.promise)
  cache.forget('a', [digest])
  encoding.resolve('before')
  assert.equal(await first, 'before')
  assert.equal(await cache.of(voice, async () => 'after'), 'after')
})
