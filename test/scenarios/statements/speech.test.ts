// The voice that an answer names is the voice that speaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { placeKokoroAndMoonshine } from '#test/support/models/kokoro-and-moonshine.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ prepare: placeKokoroAndMoonshine })
const absent = findProgram('espeak-ng', process.env['PATH']) === null
const withEspeak = { skip: absent && 'espeak-ng is not installed; ./studio setup installs it' }

const CASES = [
  ['svc-engine', 'Good morning.', null, 'af_heart'],
  ['svc-engine', 'Good morning.', 'en', 'af_heart'],
  ['heart', 'Good morning.', null, 'heart'],
  ['flite', 'Good morning.', null, 'slt'],
  ['svc-engine', 'Guten Morgen.', 'de', 'de'],
  ['espeak-ng', 'Good morning.', null, 'en-us'],
  ['espeak-ng', 'Good morning.', 'en-GB', 'en-gb'],
  ['espeak-ng', 'Bonjour à tous.', 'fr', 'fr-fr'],
  ['espeak-ng', '早上好。', 'zh', 'cmn'],
  // Its first voice is af_alloy.
  ['kokoro', 'Good morning.', null, 'af_heart'],
  ['kokoro', 'Buenos días.', 'es', 'ef_dora'],
  ['tone', 'Good morning.', null, 'tone'],
] as const

test('the voice of a request without one is named, and naming it gives the same sound', withEspeak, async (t) => {
  const world = await open()
  // The mark depends on the request.
  const mark = (isOn: boolean) => world.post(`/watermark/settings?invisible=${isOn}`)
  t.after(() => mark(true))
  assert.equal((await mark(false)).status, 200)
  for (const [model, input, language, voice] of CASES) {
    const say = async (more: object) => {
      const body = { model, input, response_format: 'pcm', ...(language !== null && { language }), ...more }
      const reply = await world.post('/v1/audio/speech', body)
      assert.equal(reply.status, 200, reply.body.toString())
      return reply
    }
    const title = `${model} in ${language}`
    const plain = await say({})
    assert.equal(plain.headers.get('x-svc-voice'), voice, title)
    assert.ok((await say({ voice })).body.equals(plain.body), title)

    const unknown = await say({ voice: 'no-such-voice' })
    assert.ok(unknown.body.equals(plain.body), title)
    assert.equal(unknown.headers.get('x-svc-voice'), voice, title)
    const remark = decodeURIComponent(unknown.headers.get('x-svc-routing-reason')!)
    assert.ok(remark.includes(`There is no voice no-such-voice. The default voice ${voice} was used.`), remark)
  }
})

test(
  'a blend of voices is named as it speaks, and a voice without pronunciation is refused before anything is spoken',
  withEspeak,
  async () => {
    const world = await open()
    const say = (voice: string, model = 'kokoro') =>
      world.post('/v1/audio/speech', { model, input: 'Hello.', voice, response_format: 'pcm' })
    const blend = await say('af_alloy(2)+Heart')
    assert.equal(blend.status, 200, blend.body.toString())
    assert.deepEqual([blend.headers.get('x-svc-voice'), blend.headers.get('x-svc-routing-reason')], ['af_alloy(2)+af_heart(1)', null])
    assert.equal((await say('af_alloy+af_heart', 'tone')).headers.get('x-svc-voice'), 'tone', 'other engines do not blend')
    for (const [voice, language] of [
      ['zf_xiaobei', 'Chinese'],
      ['jf_alpha', 'Japanese'],
    ] as const) {
      const refused = await say(voice)
      assert.equal(refused.status, 400)
      assert.match(refused.json().error.message, new RegExp(`${voice} speaks ${language}, which Kokoro cannot pronounce here`))
    }
  },
)

test('a limited speed and a text in a foreign language are named in the headers', withEspeak, async () => {
  const world = await open()
  const german = 'Wir haben das Haus nicht gesehen, und ich war auch nicht im Garten.'
  const speed = /supports speeds from 0\.5 to 2; the nearest one was used/
  const language = /The text seems to be German, and Kokoro pronounces it as English\./
  for (const [fields, said] of [
    [{ text: 'Hello.', speed: 4 }, [speed]],
    [{ text: german, speed: 1 }, [language]],
    [{ text: german, speed: 0.25 }, [speed, language]],
    [{ text: 'Hello.', speed: 2 }, []],
  ] as const) {
    const speech = await world.post('/v1/audio/speech', { model: 'kokoro', voice: 'af_heart', input: fields.text, speed: fields.speed })
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, engine: 'kokoro', voice: 'af_heart' })) form.set(name, String(value))
    for (const reply of [speech, await world.post('/generate', form)]) {
      assert.equal(reply.status, 200, reply.body.toString())
      const notice = decodeURIComponent(`${reply.headers.get('x-svc-notice') ?? ''} ${reply.headers.get('x-svc-routing-reason') ?? ''}`)
      for (const one of said) assert.match(notice, one)
      assert.equal(/supports speeds|seems to be/.test(notice), said.length > 0, notice)
    }
  }
})

test('a take, its row of the history and its notice name the voice that spoke', withEspeak, async () => {
  const world = await open()
  for (const [engine, text, language, voice] of CASES)
    for (const asked of [null, 'no-such-voice', voice]) {
      const form = new FormData()
      const fields = { text, engine, seed: '1', ...(language !== null && { language }), ...(asked !== null && { voice: asked }) }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const take = await world.post('/generate', form)
      assert.equal(take.status, 200, take.body.toString())
      const [row] = (await world.get('/history')).json()
      const title = `${engine} in ${language}, asked for ${asked}`
      assert.deepEqual([take.headers.get('x-svc-voice'), row.voice], [voice, voice], title)
      const said = `There is no voice no-such-voice. The default voice ${voice} was used.`
      assert.equal(row.notice.includes(said), asked === 'no-such-voice', `${title}: ${row.notice}`)
    }
})
