// Sentences of the studio in the language of a page: in English they stay as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadServerTexts, serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { translatorOf } from '#control-plane/web/messages/sentence-forms.ts'
import { SENTENCES } from '#control-plane/web/messages/sentences.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

test('a sentence is translated with its names, and any other text stays', async (t) => {
  const texts = (await loadServerTexts())!
  const english = { ...texts.sentences }
  t.after(async () => {
    for (const id of Object.keys(texts.sentences)) Reflect.deleteProperty(texts.sentences, id)
    Object.assign(texts.sentences, english)
    await loadServerTexts()
  })
  Object.assign(texts.sentences, {
    usingVoice: 'Es spricht {voice}.',
    usingInstead: '{engine} statt {wanted}.',
    spaceFree: 'frei: {size}',
    set: 'Gesetzt.',
    away: 'offline',
    busy: 'ausgelastet',
    machineIs: '{machine}: {reason}',
    runsHere: '{reason}; hier wird gearbeitet',
  })
  await loadServerTexts()
  const shown = {
    'Using the voice Heart, because the model of the Voice Studio engine is not installed.': 'Es spricht Heart.',
    'Using Flite, because the model of Kokoro is not installed.': 'Flite statt Kokoro.',
    '80 GB free': 'frei: 80 GB',
    'Set.': 'Gesetzt.',
    'Not set.': 'Not set.',
    ' free': 'frei: ',
    free: 'free',
    'Using Flite, because the model of Kokoro is not installed. And more.':
      'Using Flite, because the model of Kokoro is not installed. And more.',
    'Set. Using the voice Heart, because the model of the Voice Studio engine is not installed.': 'Gesetzt. Es spricht Heart.',
    'Box is busy — running locally': 'Box: ausgelastet; hier wird gearbeitet',
    'Anna is ill — running locally': 'Anna is ill — running locally',
    'Anna is ill': 'Anna is ill',
    '': '',
  }
  for (const [english, expected] of Object.entries(shown)) assert.equal(serverSentence(english), expected)
})

test('rarer sentences are loaded from a file of their own when an answer has one, and never for English', async (t) => {
  const fetched: string[] = []
  replaceGlobals(t, {
    document: { documentElement: { dataset: { texts: '/panel/1/texts/de/' } }, baseURI: 'http://studio/voice/' },
    fetch: async (address: URL) => {
      fetched.push(address.href)
      return new Response('Its model is not installed.\nDas Modell fehlt.\nThe proxy of {host} fails: {why}\n{why} Proxy: {host}.\n')
    },
  })
  const english = translatorOf({ set: 'Set!' }, () => assert.fail('English has no remarks'))
  assert.equal(english('Its model is not installed.'), 'Its model is not installed.')
  const { promise: more, resolve } = Promise.withResolvers<void>()
  const german = translatorOf({ ...SENTENCES, set: 'Gesetzt.' }, resolve)
  assert.equal(german('Set.'), 'Gesetzt.')
  assert.deepEqual(fetched, [], 'the usual sentences need no more')
  assert.equal(german('Its model is not installed.'), 'Its model is not installed.')
  await more
  assert.equal(german('Its model is not installed. Set.'), 'Das Modell fehlt. Gesetzt.')
  assert.equal(german('The proxy of a.example fails: Set.'), 'Gesetzt. Proxy: a.example.')
  assert.equal(german('The proxy of a.example fails: no route'), 'no route Proxy: a.example.')
  assert.equal(german('Something else happened.'), 'Something else happened.')
  assert.deepEqual(fetched, ['http://studio/panel/1/texts/de/remarks.txt'])
})
