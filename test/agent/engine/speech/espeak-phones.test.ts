import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createEspeakPhones, ESPEAK_PROBE, MNEMONICS, mnemonicsOf, phonesFrom } from '#agent/engine/speech/espeak-phones.ts'
import { createPhonemizer, ESPEAK } from '#agent/engine/speech/phonemes.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { annotated } from '#shared/text/pronunciation/annotation.ts'
import { ipaOfCmu } from '#shared/text/pronunciation/cmu-ipa.ts'

const skip = findProgram(ESPEAK, process.env['PATH']) ? false : 'espeak-ng is not installed'
const ask = (input: string, voice: string) => execFileSync(ESPEAK, ['-q', '--ipa', '-b', '1', '-v', voice], { encoding: 'utf8', input })
const VOICES = ['en-us', 'en-gb', 'en-gb-x-rp', 'es', 'fr-fr', 'de', 'it', 'hi', 'pt-br', 'cmn']

test('every sound of the table has a mnemonic in each of these voices, or its letters have', { skip }, () => {
  for (const voice of VOICES) {
    const phones = phonesFrom(ask(ESPEAK_PROBE, voice))
    const missing = Object.keys(MNEMONICS).filter((ipa) => mnemonicsOf(ipa, phones) === null)
    assert.deepEqual(missing, [], voice)
    for (const ipa of Object.keys(MNEMONICS).filter((ipa) => [...ipa.normalize('NFD')].length === 1 && !phones.has(ipa.normalize('NFD'))))
      assert.fail(`${voice} speaks ${ipa} as nothing`)
  }
})

test('CMU symbols are spoken as the dictionary of the program speaks the word', { skip }, () => {
  const phones = phonesFrom(ask(ESPEAK_PROBE, 'en-us'))
  const words = { base: 'B EY1 S', cheese: 'CH IY1 Z', thought: 'TH AO1 T', around: 'ER0 AW1 N D', measure: 'M EH1 ZH ER0', joy: 'JH OY1' }
  const plain = (ipa: string) =>
    ipa
      .normalize('NFD')
      .replace(/[\p{M}\u02d0\s]/gu, '')
      .replace(/ɚ\u0279?/g, 'ɚ')
      .replace(/^əɹ/, 'ɚ')
  for (const [word, symbols] of Object.entries(words)) {
    const mnemonics = mnemonicsOf(ipaOfCmu(symbols), phones)!
    assert.equal(plain(ask(mnemonics, 'en-us')), plain(ask(word, 'en-us')), `${word} ${mnemonics}`)
  }
})

test('stress stands before the vowel, words stay apart, marks without a mnemonic are left out, and an unknown sound refuses the word', () => {
  const phones = new Map(Object.entries({ n: 'n', aɪ: 'aI', k: 'k', i: 'i', tʃ: 'tS', t: 't', ʃ: 'S' }))
  assert.equal(mnemonicsOf('ˈnaɪkʰi', phones), "[[n'aIki]]")
  assert.equal(mnemonicsOf('ˌni ˈt͡ʃi', phones), "[[n,i]] [[tS'i]]")
  assert.equal(mnemonicsOf('naɪǃi', phones), null)
  assert.equal(mnemonicsOf('kik', phones), "[[k'ik]]")
  assert.equal(mnemonicsOf(' ', phones), null)
  assert.equal(mnemonicsOf(']] rm', phones), null)
})

test('a text is spelled with one question for each voice, and refused words are spoken as written', async () => {
  let asked = 0
  const spelling = createEspeakPhones(async () => {
    asked++
    return ESPEAK_PROBE.split('\n')
      .map((line) => (line === '[[b]]' || line === '[[i]]' ? 'x' : ''))
      .join('\n')
  })
  const refused: string[] = []
  const options = { plain: (text: string) => text.toUpperCase(), refused: (word: string) => void refused.push(word) }
  assert.equal(
    await spelling.apply(`to ${annotated('be', 'bi')} or ${annotated('not to', 'nɒt')}.`, 'en-us', options),
    "TO [[b'i]] OR NOT TO.",
  )
  await spelling.apply('again', 'en-us', options)
  assert.deepEqual([asked, refused], [1, ['not to']])
})

test('neural voices get the sounds of an annotated word', { skip }, async () => {
  const phonemize = createPhonemizer({ clock: systemClock, tie: '^' })
  const refused: string[] = []
  const note = (word: string) => void refused.push(word)
  const spoken = await phonemize(`He likes ${annotated('Reading', 'ˈrɛd.ɪŋ')}, well.`, 'en-us', undefined, note)
  assert.equal(spoken, await phonemize('He likes redding, well.', 'en-us'))
  assert.notEqual(spoken, await phonemize('He likes Reading, well.', 'en-us'))
  assert.deepEqual(refused, [])
  await phonemize(annotated('click', 'ǃ'), 'en-us', undefined, note)
  assert.equal(String(refused), 'click')
})
