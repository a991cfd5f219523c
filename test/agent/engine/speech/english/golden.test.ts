// English phonemes against the reference programs, without espeak-ng. The shares are those of the package that the data comes from.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createEnglish } from '#agent/engine/speech/english/english.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { normaliseText } from '#shared/text/normalise/normalise.ts'
import { ROOT } from '#test/support/world/process.ts'

const golden = (name: string) =>
  readFileSync(join(ROOT, 'test/golden', name), 'utf8')
    .trim()
    .split('\n')
const english = createEnglish({ clock: systemClock, program: null })
after(() => english.close())

type Row = { readonly kind: string; readonly text: string; readonly misaki: string; readonly hibari: string; readonly british: string }
const ROWS = golden('english-phonemes.tsv')
  .slice(1)
  .map((line): Row => {
    const [kind = '', text = '', misaki = '', hibari = '', british = ''] = line.split('\t')
    return { kind, text, misaki, hibari, british }
  })

/** Kinds of rows, and the share that must equal misaki, in percent: at most 1.5 points below hibari-tts. */
const LEAST = { words: 99.4, het: 90, sents: 68.5, nemosp: 88.6 }

for (const [kind, least] of Object.entries(LEAST))
  test(`of ${kind}, ${least} % have the phonemes of misaki`, async () => {
    const rows = ROWS.filter((row) => row.kind === kind)
    const wrong: string[] = []
    for (const { text, misaki } of rows) {
      const ours = await english.symbols(normaliseText(text, 'en-us'), 'en-us')
      if (ours !== misaki) wrong.push(`${text}: ${ours}, not ${misaki}`)
    }
    const share = 100 * (1 - wrong.length / rows.length)
    assert.ok(share >= least, `${share.toFixed(1)} % of ${rows.length}\n${wrong.slice(0, 20).join('\n')}`)
  })

test('of British words, 99.4 % have the phonemes of misaki', async () => {
  const rows = ROWS.filter(({ british }) => british !== '')
  let equal = 0
  for (const { text, british } of rows) if ((await english.symbols(normaliseText(text, 'en-gb'), 'en-gb')) === british) equal++
  assert.ok((100 * equal) / rows.length >= 99.4, `${equal} of ${rows.length}`)
})

test('words that were wrong before are right', async () => {
  const said = (text: string, variety: 'en-us' | 'en-gb' = 'en-us') => english.symbols(normaliseText(text, variety), variety)
  assert.match(await said('It ends at 9 a.m. today.'), /nˈIn ˈA ˈɛm/)
  assert.match(await said('I read it yesterday.'), /ɹˈɛd/)
  assert.match(await said('I will read it.'), /ɹˈid/)
  assert.match(await said('Please record it.'), /ɹəkˈɔɹd|ɹᵻkˈɔɹd|ɹikˈɔɹd/)
  assert.match(await said('Close the door.'), /klˈOz/)
  assert.match(await said('Wind the clock.'), /wˈInd/)
  assert.match(await said('He went around the house.'), /əɹˈWnd/)
  assert.match(await said('The last class.', 'en-gb'), /lˈɑːst klˈɑːs/)
  assert.match(await said('Come here.', 'en-gb'), /hˈɪə/)
})
