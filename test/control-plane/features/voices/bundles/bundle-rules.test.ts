import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as rules from '#control-plane/features/voices/bundles/bundle/bundle.rules.ts'
import { fadedOut, previewPart } from '#control-plane/features/voices/bundles/bundle/marking.ts'

test('a licence outside of the list is replaced and named', () => {
  for (const spdx of ['CC0-1.0', 'CC-BY-NC-SA-4.0', 'Apache-2.0', 'LicenseRef-Acme.2-b'])
    assert.deepEqual(rules.licenceOf(` ${spdx} `), { spdx, replaced: null })
  assert.deepEqual(rules.licenceOf(''), { spdx: rules.DEFAULT_LICENCE, replaced: null })
  for (const other of ['GPL-3.0', 'cc0-1.0', 'LicenseRef-', 'LicenseRef-a b', 'MIT OR Apache-2.0'])
    assert.deepEqual(rules.licenceOf(other), { spdx: rules.DEFAULT_LICENCE, replaced: other })
})

test('only the names of recordings are recordings', () => {
  assert.equal(rules.recordingOf('ref_audio.wav'), 'ref_audio')
  assert.equal(rules.recordingOf('consent_audio.mp3'), 'consent_audio')
  for (const name of ['ref_audio', 'ref_audio.exe', 'ref_audio.wav.exe', 'a/ref_audio.wav', 'ref_audio.wav\n', 'preview.wav'])
    assert.equal(rules.recordingOf(name), null, name)
})

test('a slug is a short ASCII name, for any name', () => {
  const slugs = ['Élan  Vital!', '--a--', '河南话', '', '../../etc', 'x'.repeat(100)].map(rules.slugOf)
  assert.deepEqual(slugs, ['elan-vital', 'a', 'voice', 'voice', 'etc', 'x'.repeat(40)])
  assert.equal(rules.slugOf(`${'a'.repeat(39)} b`), 'a'.repeat(39))
})

test('tags are trimmed, unique and limited', () => {
  assert.deepEqual(rules.tagsOf(' calm, low ,,calm'), ['calm', 'low'])
  assert.equal(rules.tagsOf(Array.from({ length: 50 }, (_, i) => `tag ${i}`).join(',')).length, 32)
  assert.equal(rules.tagsOf('x'.repeat(100))[0]!.length, 64)
})

test('the extension of a recording follows its bytes', () => {
  const of = (...bytes: (string | number)[]) =>
    rules.audioExtensionOf(Buffer.concat(bytes.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.from([each])))))
  assert.deepEqual(
    [of('RIFF....WAVE'), of('fLaC'), of('OggS'), of('ID3\x04'), of(0xff, 0xfb), of(0xff, 0xf1), of('....ftypM4A '), of(0x1a, 0x45, 0xdf)],
    ['wav', 'flac', 'ogg', 'mp3', 'mp3', 'aac', 'm4a', 'webm'],
  )
})

test('only plain https addresses are kept as the source of a voice', () => {
  assert.equal(rules.sourceUrl('https://example.org/clip?a=b'), 'https://example.org/clip?a=b')
  for (const other of [
    '',
    'http://example.org',
    'javascript:alert(1)',
    'https://user:secret@example.org',
    'file:///etc/passwd',
    'no address',
  ])
    assert.equal(rules.sourceUrl(other), '')
})

test('a preview has 8 s at most, and its last 50 ms fade to silence', () => {
  const constant = (samples: number) => Buffer.from(new Int16Array(samples).fill(10_000).buffer)
  const read = (bytes: Uint8Array) => new Int16Array(bytes.slice().buffer)
  assert.equal(previewPart(constant(9 * 24_000)).length, 2 * 8 * 24_000)
  const faded = read(fadedOut(constant(24_000)))
  assert.deepEqual([faded[0], faded.at(-1201), faded.at(-601), faded.at(-1)], [10_000, 10_000, 5_000, 0])
  assert.deepEqual([...read(fadedOut(constant(2)))], [5_000, 0])
})
