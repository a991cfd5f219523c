// The pure parts of the MCP tools: the voice of a call, and base64.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { voiceOf } from '#control-plane/features/operate/mcp/tools/generate-speech.ts'
import { bytesOf } from '#control-plane/features/operate/mcp/tools/transcribe.ts'

type Engines = Parameters<typeof voiceOf>[1]
type Resolved = Parameters<typeof voiceOf>[0]
const backend = (id: string, available: boolean, ...voices: string[]) =>
  ({ id, available, voices: voices.map((voice) => ({ id: voice, name: voice, language: 'en' })) }) as Engines['backends'][number]
const ENGINES: Engines = {
  active: 'second',
  env_override: false,
  backends: [backend('first', true, 'ann', 'bob'), backend('second', true, 'bob', 'eve'), backend('away', false, 'zoe')],
}
const resolved = (voice: string | null, engine: string | null = null, source: Resolved['source'] = 'call'): Resolved => ({
  voice,
  engine,
  source,
})

test('the voice of the selected engine comes before that of another one, and a named engine before both', () => {
  assert.deepEqual(voiceOf(resolved(null), ENGINES), { engine: null, voice: null })
  assert.deepEqual(voiceOf(resolved('default', 'first'), ENGINES), { engine: 'first', voice: null })
  assert.deepEqual(voiceOf(resolved('bob'), ENGINES), { engine: null, voice: 'bob' })
  assert.deepEqual(voiceOf(resolved('ann'), ENGINES), { engine: 'first', voice: 'ann' })
  assert.deepEqual(voiceOf(resolved('bob', 'first'), ENGINES), { engine: 'first', voice: 'bob' })
})

test('a voice that no available engine has is refused, and the message names who chose it', () => {
  for (const [request, message] of [
    [resolved('zoe'), /There is no voice 'zoe'\. list_voices/],
    [resolved('ann', 'second'), /of the engine 'second'/],
    [resolved('zoe', null, 'client'), /for this client/],
    [resolved('zoe', null, 'default'), /mcp_default_profile_id/],
  ] as const)
    assert.throws(() => voiceOf(request, ENGINES), message)
})

test('base64 is decoded whole or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean(), (bytes, isPadded) => {
      const text = Buffer.from(bytes).toString('base64')
      for (const sent of [isPadded ? text : text.replace(/=+$/, ''), `data:audio/wav;base64,${text}`])
        assert.ok(bytesOf(sent).equals(Buffer.from(bytes)))
    }),
  )
  for (const text of ['', '=', 'data:audio/wav;base64,', 'AAAA AAAA', 'AAAA\nAAAA', 'héllo', 'AA=AAAAA', '{"a":1}'])
    assert.throws(() => bytesOf(text), { code: 'BAD_REQUEST' }, text)
})
