// The text of MOSS-TTS-Nano against the robust normaliser of the project at 42b4645.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanMossText } from '#agent/engine/tts/moss/text.ts'
import { golden } from './golden.ts'

test('a text is cleaned as by the reference, but for a no-break space, which becomes a blank', () => {
  const cases = golden<readonly (readonly [text: string, cleaned: string])[]>('moss-clean.json')
  assert.equal(cases.length, 48)
  assert.equal(cases.filter(([text, cleaned]) => cleanMossText(text) !== cleaned).length, 1)
  for (const [text, cleaned] of cases) assert.equal(cleanMossText(text), cleaned.replaceAll('\u00a0', ' '), text)
})
