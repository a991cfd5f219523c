// Sentences of the studio in the language of a page: in English they stay as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadServerTexts, serverSentence } from '#control-plane/web/lib/server-texts.ts'

test('a sentence is translated with its names, and any other text stays', async () => {
  const texts = (await loadServerTexts())!
  Object.assign(texts.sentences, {
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.': 'Es spricht {voice}.',
    'Using {engine}, because no model of {wanted} for {language} is installed.': '{language}: {engine} statt {wanted}.',
    '{size} free': 'frei: {size}',
    'Set.': 'Gesetzt.',
  })
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
})
