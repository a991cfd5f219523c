// Languages that the embedded voice lacks: espeak-ng speaks them as a declared substitute if it is installed; otherwise they are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { fromPcm, peakDb } from '#test/support/audio/sound.ts'
import { placeKokoroAndMoonshine } from '#test/support/models/kokoro-and-moonshine.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const REQUEST = { input: 'Guten Morgen, liebe Leute.', response_format: 'pcm' }
const skip = !findProgram('espeak-ng', process.env['PATH']) && 'espeak-ng is not installed'

const open = sharedWorld({ prepare: placeKokoroAndMoonshine })

test('espeak-ng speaks German as a substitute for the studio engine', { skip }, async (t) => {
  const world = await open()
  const german = await world.post('/v1/audio/speech', { ...REQUEST, language: 'de' })
  assert.equal(german.status, 200, german.body.toString())
  assert.equal(german.headers.get('x-svc-routing'), 'stand_in')
  assert.match(german.headers.get('x-svc-routing-reason')!, /^Using eSpeak NG, because no model of Voice Studio engine/)
  const samples = fromPcm(german.body)
  assert.ok(samples.length > 22_050 && peakDb(samples) > -6)

  const named = await world.post('/v1/audio/speech', { ...REQUEST, model: 'espeak-ng', language: 'German' })
  assert.equal(named.status, 200, named.body.toString())
  assert.equal(named.headers.get('x-svc-routing'), null, 'a requested engine is not a substitute')

  const english = await world.post('/v1/audio/speech', { input: 'Good morning.', response_format: 'pcm', language: 'en' })
  assert.match(
    english.headers.get('x-svc-routing-reason')!,
    /^Using Kokoro, because no model of Voice Studio engine for English is installed/,
  )
  const unknown = await world.post('/v1/audio/speech', { ...REQUEST, language: 'tlh' })
  assert.equal(unknown.status, 409, 'no engine supports it')

  const form = new FormData()
  form.set('text', 'Guten Morgen.')
  form.set('language', 'German')
  const take = await world.post('/generate', form)
  assert.equal(take.status, 200, take.body.toString())
  assert.match(take.headers.get('x-svc-routing-reason')!, /^Using eSpeak NG, because no model of Voice Studio engine/)

  await t.test('an engine for plain words gets numbers and titles spelled out in the language of the voice, on both routes', async () => {
    const spoken = async (input: string, voice: string) => {
      const reply = await world.post('/v1/audio/speech', { input, voice, model: 'kokoro', response_format: 'pcm' })
      assert.equal(reply.status, 200, reply.body.toString())
      assert.equal(reply.headers.get('x-svc-routing'), null)
      return reply.body.length
    }
    const english = await spoken('Doctor Smith paid one hundred dollars.', 'af_heart')
    assert.equal(await spoken('Dr. Smith paid $100.', 'af_heart'), english)
    assert.equal(await spoken('El señor López, veintiuna horas.', 'ef_dora'), await spoken('El señor López, 21 horas.', 'ef_dora'))
    const taken = async (text: string) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ text, engine: 'kokoro', voice: 'af_heart' })) form.set(name, value)
      const reply = await world.post('/generate', form)
      assert.equal(reply.status, 200, reply.body.toString())
      return reply.headers.get('x-audio-duration')
    }
    assert.equal(await taken('Dr. Smith paid $100.'), await taken('Doctor Smith paid one hundred dollars.'))
  })

  await t.test('a text whose language is not named is spoken by an engine that can', async () => {
    for (const [input, name, model] of [
      ['Добрый день, меня зовут Анна.', 'Russian', 'tts-1'],
      ['Καλημέρα σε όλους.', 'Greek', 'kittentts'],
      ['Wir haben das Haus nicht gesehen, und ich war auch nicht im Garten.', 'German', 'svc-engine'],
    ] as const) {
      const reply = await world.post('/v1/audio/speech', { input, model, response_format: 'pcm' })
      // KittenTTS is an engine of this machine; its model is not downloaded.
      assert.equal(reply.status, 200, reply.body.toString())
      assert.equal(reply.headers.get('x-svc-routing'), 'stand_in')
      assert.match(
        reply.headers.get('x-svc-routing-reason')!,
        new RegExp(
          `^Using eSpeak NG, because no model of ${model === 'kittentts' ? 'KittenTTS' : 'Voice Studio engine'} for ${name} is installed`,
        ),
      )
      assert.ok(fromPcm(reply.body).length > 15_000)
    }
    const form = new FormData()
    form.set('text', 'Добрый день.')
    const reply = await world.post('/generate', form)
    assert.match(reply.headers.get('x-svc-routing-reason')!, /^Using eSpeak NG, .* for Russian/)
    const hello = await world.post('/v1/audio/speech', { input: 'Hello, it is the voice of the studio.', response_format: 'pcm' })
    assert.match(hello.headers.get('x-svc-routing-reason')!, /^Using Kokoro, because the model of Voice Studio engine is not installed/)
  })
})

const withoutPrograms = sharedWorld({ env: { PATH: '/nowhere' } })

test('without espeak-ng German is refused, and the message names the program', async () => {
  const world = await withoutPrograms()
  const reply = await world.post('/v1/audio/speech', { ...REQUEST, language: 'de' })
  assert.equal(reply.status, 409)
  assert.match(reply.body.toString(), /espeak-ng, which \.\/studio setup installs/)
  const russian = await world.post('/v1/audio/speech', { input: 'Say Добрый день, меня зовут Анна.', response_format: 'pcm' })
  assert.equal(russian.status, 409)
  assert.match(russian.body.toString(), /Check the language \\"ru\\"/)
})
