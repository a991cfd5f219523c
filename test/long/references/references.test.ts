// Engines against the newest version of their reference programs, as far as these run without the large libraries that they depend on. Skipped where
// Python or its registry of packages is not reached. A failure here means that a reference has changed: compare, and correct docs/engines.md.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readSentencePiece } from '#agent/engine/text/sentencepiece.ts'
import { toKittenPieces } from '#agent/engine/tts/kittentts/engine.ts'
import { withEndPunctuation } from '#agent/engine/tts/kittentts/symbols.ts'
import { replacedIn } from '#agent/engine/tts/pockettts/languages.ts'
import { preparedText } from '#agent/engine/tts/pockettts/text.ts'
import { golden, goldenBytes } from '#test/golden/golden.ts'

/** Small packages, installed without their dependencies. */
const PACKAGES = ['pocket-tts', 'kittenml', 'sentencepiece', 'pyyaml']
const folder = mkdtempSync(join(tmpdir(), 'studio-references-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const python = (args: readonly string[], input = '') =>
  spawnSync('python3', args, { input, encoding: 'utf8', env: { ...process.env, PYTHONPATH: folder }, maxBuffer: 2 ** 28, timeout: 300_000 })
const installed = python([
  '-m',
  'pip',
  'install',
  '--quiet',
  '--no-input',
  '--timeout',
  '20',
  '--retries',
  '1',
  '--no-deps',
  '--target',
  folder,
  ...PACKAGES,
])
const skip = installed.error
  ? 'Python is not installed.'
  : installed.status === 0
    ? false
    : 'The registry of Python packages was not reached.'

function answers<T>(program: string, cases: readonly object[]): T[] {
  const { status, stdout, stderr } = python([fileURLToPath(new URL('reference.py', import.meta.url)), program], JSON.stringify(cases))
  assert.equal(status, 0, stderr)
  const found = JSON.parse(stdout)
  assert.ok(Array.isArray(found) && found.length === cases.length)
  return found
}
const texts = golden<readonly { readonly lang: string; readonly text: string }[]>('supertonic-text.json')
const LANGUAGES = { en: 'english', fr: 'french', de: 'german', es: 'spanish', it: 'italian', pt: 'portuguese' } as const
const STRAYS = ['“', '’', ' — ', '; ', '« ', ' »', '(', ')', ' – ', '…,', ':', '¡', '?” ', ' "', '!']

test('Pocket-TTS prepares a text as the newest pocket-tts', { skip }, () => {
  const sentences = texts
    .flatMap(({ lang, text }) => (lang in LANGUAGES ? text.split(/[.!?\n]/) : []))
    .map((text) => text.replace(/\s+/g, ' ').trim())
  const cases = sentences
    .filter((text) => /\p{L}/u.test(text))
    .flatMap((text) => [
      text,
      ...STRAYS.map((stray) => text.slice(0, text.length / 2).trim() + stray + text.slice(text.length / 2).trim() + stray),
    ])
    .flatMap((text) => Object.entries(LANGUAGES).map(([code, language]) => ({ code, language, text: text.replace(/\s+/g, ' ').trim() })))
  type Prepared = { readonly text: string; readonly frames: number; readonly remove_semicolons: boolean; readonly padded: boolean }
  for (const [at, { text, frames, remove_semicolons, padded }] of answers<Prepared>('pocket', cases).entries()) {
    const { code, text: given } = cases[at]!
    const rules = { remove_semicolons, pad_with_spaces_for_short_inputs: padded, model_recommended_frames_after_eos: null }
    assert.deepEqual(preparedText(given, rules, replacedIn(code)), { text, tail: frames + 2 }, `${code}: ${given}`)
  }
})

test('KittenTTS cuts plain sentences as the newest kittenml', { skip }, () => {
  // Without those that end elsewhere here on purpose: test/golden/kitten.test.ts.
  const plain = golden<readonly { readonly text: string }[]>('kitten-chunks.json').filter(
    ({ text }) => !/^(?:Wait|Mrs|this is|word word)/.test(text),
  )
  const cases = plain.flatMap(({ text }) => [{ text }, { text: `${text.trim()} And then? It rained! ${text.trim()}` }])
  for (const [at, chunks] of answers<string[]>('kitten', cases).entries())
    assert.deepEqual(toKittenPieces(cases[at]!.text).map(withEndPunctuation), chunks, cases[at]!.text)
})

test('a text has the ids of the newest sentencepiece', { skip }, () => {
  for (const model of ['unigram_nfkc', 'bpe_bytes', 'unigram_identity']) {
    const name = `sentencepiece-${model}.model`
    const tokenizer = readSentencePiece(goldenBytes(name), name)
    const file = fileURLToPath(new URL(`../../golden/${name}`, import.meta.url))
    const documents = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8').split('\n')
    const cases = [...texts.map(({ text }) => text), ...documents]
      .filter((text) => text.trim() !== '')
      .map((text) => ({ text, model: file }))
    for (const [at, ids] of answers<number[]>('sentencepiece', cases).entries())
      assert.deepEqual(tokenizer.encode(cases[at]!.text), ids, cases[at]!.text)
  }
})
