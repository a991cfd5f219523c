// Uses a script in place of espeak-ng, and the real program if it is installed.

import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createPhonemizer, ESPEAK } from '#agent/engine/speech/phonemes.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { filesIn } from '../runtimes/onnx/folder.ts'

function programOf(t: TestContext, script: string): string {
  const path = filesIn(t, { program: `#!/bin/sh\nsed 's| <audio/>$||' | { ${script}; }\n` }).get('program')!
  chmodSync(path, 0o755)
  return path
}
const upper = 'tr a-z A-Z'

test('punctuation is kept, and only text is passed to the program', { skip: process.platform === 'win32' }, async (t) => {
  const phonemize = createPhonemizer({ clock: systemClock, program: programOf(t, upper) })
  assert.equal(await phonemize('hello, world! (it is 3.5 or so)', 'en-us'), 'HELLO, WORLD! (IT IS 3.5 OR SO)')
  assert.equal(await phonemize('“one… two”', 'en-us'), '“ONE… TWO”')
  assert.equal(await phonemize('?!', 'en-us'), '')
  assert.equal(await phonemize('a\nb [[c]]', 'en-us'), 'A B C')
  assert.equal(await phonemize('read [this] {that}', 'en-us'), 'READ (THIS) (THAT)')
})

test('a part that the program splits is joined again', { skip: process.platform === 'win32' }, async (t) => {
  const phonemize = createPhonemizer({ clock: systemClock, program: programOf(t, "tr ' ' '\\n'") })
  assert.equal(await phonemize('one two, three.', 'en-us'), 'one two, three.')
})

test('a missing, failing and cancelled program give different failures', { skip: process.platform === 'win32' }, async (t) => {
  const failing = createPhonemizer({ clock: systemClock, program: programOf(t, 'cat > /dev/null; exit 3') })
  await assert.rejects(failing('a', 'en-us'), { code: 'WORKER_FAILED', message: /exit code 3/ })
  const missing = createPhonemizer({ clock: systemClock, program: '/nowhere/espeak-ng' })
  await assert.rejects(missing('a', 'en-us'), { code: 'MODEL_NOT_INSTALLED' })
  const hanging = createPhonemizer({ clock: systemClock, program: programOf(t, 'exec sleep 60') })
  await assert.rejects(hanging('a', 'en-us', AbortSignal.timeout(100)), { code: 'CANCELLED' })
  const endless = createPhonemizer({ clock: systemClock, program: programOf(t, 'exec yes') })
  await assert.rejects(endless('a', 'en-us'), { code: 'WORKER_FAILED', message: /wrote more than/ })
})

test('the real program pronounces English', { skip: findProgram(ESPEAK, process.env['PATH']) === null }, async () => {
  const phonemize = createPhonemizer({ clock: systemClock })
  const ipa = await phonemize('Hello, world. How are you?', 'en-us')
  assert.match(ipa, /^həlˈoʊ, wˈɜːld\. hˈaʊ .*juː\?$/)
  assert.equal(await phonemize('AT&T, 5 < 6, a <b> and &lt;.', 'en-us'), 'ˈeɪtiːəntˈiː, fˈaɪv sˈɪks, ɐ bˈiː ænd ænd ˌɛltˈiː;.')
  const long = 'word '.repeat(300)
  assert.equal((await phonemize(long, 'en-us')).split(' ').length, 300)
})

// The values are those of `espeak_TextToPhonemes` of libespeak-ng 1.51, which phonemizer calls; the program alone stresses each of them.
test('a fragment without a stressed word has no stress, as in the library', {
  skip: findProgram(ESPEAK, process.env['PATH']) === null,
}, async () => {
  const phonemize = createPhonemizer({ clock: systemClock })
  const fragments = {
    what: 'wˌʌt',
    and: 'ænd',
    but: 'bˌʌt',
    if: 'ɪf',
    when: 'wˌɛn',
    to: 'tuː',
    for: 'fɔːɹ',
    him: 'hˌɪm',
    'in the': 'ɪnðə',
    'he is': 'hiː ɪz',
    hmm: 'həm',
  }
  for (const [text, ipa] of Object.entries(fragments)) assert.equal(await phonemize(text, 'en-us'), ipa, text)
  for (const [text, ipa] of Object.entries({ me: 'mˈiː', one: 'wˈʌn', this: 'ðˈɪs', a: 'ˈeɪ', hello: 'həlˈoʊ' }))
    assert.equal(await phonemize(text, 'en-us'), ipa, text)
  assert.equal(await phonemize('Wait... what?', 'en-us'), 'wˈeɪt... wˌʌt?')
})
