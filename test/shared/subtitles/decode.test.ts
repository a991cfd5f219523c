import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSubtitles } from '#shared/subtitles/parse/decode.ts'
import { parseSubtitles } from '#shared/subtitles/parse/parse.ts'

const utf16 = (text: string, isBig = false, mark = true) => {
  const little = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
  return isBig ? little.swap16() : little
}

test('UTF-8 with and without a mark', () => {
  assert.equal(decodeSubtitles(Buffer.from('\ufeffÉtoile 星')), 'Étoile 星')
  assert.equal(decodeSubtitles(Buffer.from('Étoile 星')), 'Étoile 星')
  assert.equal(decodeSubtitles(new Uint8Array()), '')
})

test('UTF-16 of both orders, with and without a mark', () => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nПривет\n'
  for (const isBig of [false, true]) for (const mark of [false, true]) assert.equal(decodeSubtitles(utf16(text, isBig, mark)), text)
})

test('what is not UTF-8 is windows-1252', () => {
  assert.equal(decodeSubtitles(Uint8Array.of(0x43, 0x61, 0x66, 0xe9, 0x85, 0x20, 0x80)), 'Café… €')
})

test('a cue of latin-1 with 0x85 stays one cue', () => {
  const file = Buffer.concat([Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nWell'), Uint8Array.of(0x85, 0xe9), Buffer.from(' yes\n')])
  assert.deepEqual(
    parseSubtitles(decodeSubtitles(file)).cues.map(({ text }) => text),
    ['Well…é yes'],
  )
})
