// Sentences of the studio in the language of a page: in English they stay as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadServerTexts, serverSentence } from '#control-plane/web/lib/server-texts.ts'

test('a sentence is translated with its names, and any other text stays', async () => {
  const texts = (await loadServerTexts())!
  const sentences = {
    substituteVoice: 'Es spricht {voice}.',
    substituteLanguage: '{language}: {engine} statt {wanted}.',
    spaceFree: 'frei: {size}',
    tokenSet: 'Gesetzt.',
  }
  Object.assign(texts.sentences, sentences)
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
    '': '',
  }
  for (const [english, expected] of Object.entries(shown)) assert.equal(serverSentence(english), expected)
  for (const name of Object.keys(sentences)) Reflect.deleteProperty(texts.sentences, name)
  assert.equal(serverSentence('Set.'), 'Set.')
})
