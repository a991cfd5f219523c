import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { STUDIO_TTS_BACKEND: 'tone' } })

test('available engines come first, the others show the reason and the fix, within 80 columns', async () => {
  const world = await open()
  const run = commandsOf(world)
  const { code, output, errors } = await run('engines')
  assert.deepEqual([code, errors], [0, ''])
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^ {2}SPEECH +STATE +DEVICE +NAME\n[ *] \S+ +ready +/)
  assert.match(output, /^\* tone +ready +cpu +Test tone$/m)
  assert.match(output, /^ {2}svc-engine +ready +cpu +.+\n {4}\S/m)
  assert.match(
    output,
    /^ {2}kokoro +missing +- +Kokoro\n {4}Its model is not installed\. Install its model with \.\/studio models install\n/m,
  )
  assert.match(output, /^\* off +ready +network/m)
  assert.match(output, /Set by the environment: tone$/m)
  const states = output.split('RECOGNITION')[0]!.match(/ (ready|missing) /g)!
  assert.equal(states.indexOf(' missing '), states.lastIndexOf(' ready ') + 1)

  const listed = jsonIn((await run('engines', '--json')).output)
  const ids = (answer: { tts: { backends: { id: string }[] } }) => answer.tts.backends.map(({ id }) => id)
  assert.deepEqual(ids(listed), ids((await world.get('/engines')).json()))
})

test('an engine is used where a request names none', async () => {
  const world = await open()
  const run = commandsOf(world)
  const { code, output, errors } = await run('engines', 'use', 'pocketsphinx')
  const isThere = (await world.get('/engines'))
    .json()
    .asr.backends.some((one: { id: string; available: boolean }) => one.id === 'pocketsphinx' && one.available)
  if (isThere) {
    assert.deepEqual([code, output], [0, 'PocketSphinx is the default for recognition now.\n'], errors)
    assert.equal((await world.get('/engines')).json().asr.active, 'pocketsphinx')
  } else assert.deepEqual([code, output], [1, ''])

  const pinned = await run('engines', 'use', 'heart')
  assert.deepEqual(
    [pinned.code, pinned.output],
    [0, 'Test tone is the default for speech now.\nheart was stored, but the environment of the studio names tone.\n'],
  )
  const missing = await run('engines', 'use', 'kokoro')
  assert.equal(missing.code, 1)
  assert.match(missing.errors, /'kokoro' cannot be used: Its model is not installed/)
  assert.equal((await run('engines', 'use', 'nothing-like-it')).code, 5)
  for (const words of [['use'], ['use', 'heart', 'flite'], ['kokoro']])
    assert.equal((await run('engines', ...words)).code, 2, words.join(' '))
})

test('without a studio the command fails', async () => {
  const { code, errors } = await studio(['engines'], { env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' } })
  assert.equal(code, 3)
  assert.match(errors, /No studio is running/)
})
