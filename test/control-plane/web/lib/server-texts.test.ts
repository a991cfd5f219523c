// Sentences of the studio in the language of a page: in English they stay as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadServerTexts, serverSentence } from '#control-plane/web/lib/server-texts.ts'

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
    usingForLanguage: '{language}: {engine} statt {wanted}.',
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
    'Using Flite, because no model of Kokoro for German is installed.': 'German: Flite statt Kokoro.',
    '80 GB free': 'frei: 80 GB',
    'Set.': 'Gesetzt.',
    'Not set.': 'Not set.',
    ' free': 'frei: ',
    free: 'free',
    'Using Flite, because no model of Kokoro for German is installed. And more.':
      'Using Flite, because no model of Kokoro for German is installed. And more.',
    'Set. Using the voice Heart, because the model of the Voice Studio engine is not installed.': 'Gesetzt. Es spricht Heart.',
    'Box is busy — running locally': 'Box: ausgelastet; hier wird gearbeitet',
    'Anna is ill — running locally': 'Anna is ill — running locally',
    'Anna is ill': 'Anna is ill',
    '': '',
  }
  for (const [english, expected] of Object.entries(shown)) assert.equal(serverSentence(english), expected)
})
