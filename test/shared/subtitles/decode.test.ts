// The encodings of subtitle files: what states one, and what is assumed from the letters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSubtitles } from '#shared/subtitles/decode.ts'
import { readSubtitles } from '#shared/subtitles/read.ts'
import { TEXT_ENCODINGS } from '#shared/text/encoding/encodings.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { encoded } from '../text/encodings/encode.ts'
import { SPOKEN } from '../text/encodings/texts.ts'

const utf16 = (text: string, isBig = false, mark = true) => encoded(`${mark ? '\ufeff' : ''}${text}`, isBig ? 'utf-16be' : 'utf-16le')
const textOf = (bytes: Uint8Array) => decodeSubtitles(bytes).text
const srt = (sentences: readonly string[]) =>
  sentences.map((text, at) => `${at + 1}\n00:00:0${at + 1},000 --> 00:00:0${at + 1},900\n${text}\n`).join('\n')
const ass = (sentences: readonly string[]) =>
  `[Script Info]\nScriptType: v4.00+\n\n[Events]\n${sentences.map((text, at) => `Dialogue: 0,0:00:0${at + 1}.00,0:00:0${at + 1}.90,Default,,0,0,0,,{\\i1}${text}{\\i0}`).join('\n')}\n`

test('UTF-8 with and without a mark', () => {
  assert.equal(textOf(Buffer.from('\ufeffÉtoile 星')), 'Étoile 星')
  assert.equal(textOf(Buffer.from('Étoile 星')), 'Étoile 星')
  assert.equal(textOf(new Uint8Array()), '')
})

test('UTF-16 of both orders, with and without a mark', () => {
  for (const text of ['1\n00:00:01,000 --> 00:00:02,000\nПривет\n', '1\n00:00:01,000 --> 00:00:02,000\n你昨天晚上在哪里\n'])
    for (const isBig of [false, true])
      for (const mark of [false, true]) {
        const found = decodeSubtitles(utf16(text, isBig, mark))
        assert.deepEqual([found.text, found.encoding, found.by], [text, isBig ? 'utf-16be' : 'utf-16le', 'stated'])
      }
})

test('a text of Western Europe', () => {
  assert.equal(textOf(Uint8Array.of(0x43, 0x61, 0x66, 0xe9, 0x85, 0x20, 0x80)), 'Café… €')
})

test('a cue of latin-1 with 0x85 stays one cue', () => {
  const file = Buffer.concat([Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nWell'), Uint8Array.of(0x85, 0xe9), Buffer.from(' yes\n')])
  assert.deepEqual(
    readSubtitles(file).cues.map(({ text }) => text),
    ['Well…é yes'],
  )
})

for (const { language, encodings, sentences } of SPOKEN)
  for (const encoding of encodings)
    test(`${encoding}: two cues and a long file in ${language}, with and without the language of the film`, () => {
      for (const part of [sentences.slice(0, 2), sentences])
        for (const write of [srt, ass])
          for (const film of [null, language]) {
            const text = write(part)
            const found = decodeSubtitles(encoded(text, encoding), { language: film })
            // Two encodings may have the same bytes for a text.
            assert.equal(found.text, text, found.encoding)
            assert.equal(found.by, 'assumed')
          }
    })

test('most pairs of sentences are enough to find the encoding', () => {
  let [all, right] = [0, 0]
  for (const { encodings, sentences } of SPOKEN)
    for (const [at, one] of sentences.entries()) {
      const text = srt([one, sentences[(at + 3) % sentences.length]!])
      all++
      if (textOf(encoded(text, encodings[0]!)) === text) right++
    }
  assert.ok(right / all >= 0.98, `${right} of ${all}`)
})

test('the language of the film decides where bytes mean words of two languages', () => {
  const bytes = encoded('Čekaj', 'windows-1250')
  assert.equal(decodeSubtitles(bytes, { language: 'hr' }).text, 'Čekaj')
  assert.equal(decodeSubtitles(bytes, { language: 'bs-Latn' }).text, 'Čekaj')
  assert.equal(decodeSubtitles(encoded('Voilà', 'windows-1252'), { language: 'fr' }).text, 'Voilà')
})

test('a chosen encoding is used against the letters', () => {
  const bytes = encoded('Где ты был всю ночь?', 'windows-1251')
  const found = decodeSubtitles(bytes, { chosen: 'koi8-r' })
  assert.deepEqual([found.encoding, found.by, found.text === 'Где ты был всю ночь?'], ['koi8-r', 'chosen', false])
  for (const encoding of TEXT_ENCODINGS) assert.equal(decodeSubtitles(bytes, { chosen: encoding }).encoding, encoding)
})

test('a file of UTF-8 with damaged characters stays UTF-8, and the answer counts them', () => {
  const text = srt(['Příliš žluťoučký kůň', 'běžel přes louku.'])
  const damaged = Buffer.concat([Buffer.from(text), Uint8Array.of(0xc3)])
  assert.equal(textOf(damaged), `${text}\ufffd`)
  assert.deepEqual(readSubtitles(damaged).notices, [
    'The file does not state its encoding; utf-8 was assumed.',
    'One character of the file cannot be read in this encoding.',
  ])
})

test('XML names its encoding, and ISO-2022-JP has sequences that no other text has', () => {
  const xml = '<?xml version="1.0" encoding="KOI8-R"?><tt/>'
  assert.equal(decodeSubtitles(Buffer.concat([Buffer.from(xml), Uint8Array.of(0xd0)])).encoding, 'koi8-r')
  const japanese = Buffer.from('\x1b$B$3$s$K$A$O\x1b(B', 'latin1')
  assert.deepEqual([decodeSubtitles(japanese).encoding, textOf(japanese)], ['iso-2022-jp', 'こんにちは'])
})

test('marks of tones in Vietnamese are one character with their letter', () => {
  const text = srt(['Tôi không thể chờ thêm được nữa.'])
  assert.equal(textOf(encoded(text, 'windows-1258')), composed(text))
})

test('the bytes 0x80 to 0x9f and the short u of Belarusian, which versions of Node read in other ways', () => {
  assert.equal(decodeSubtitles(Uint8Array.of(0x93, 0x41, 0x94, 0xe9), { chosen: 'windows-1252' }).text, '“A”é')
  assert.equal(decodeSubtitles(Uint8Array.of(0xae, 0xbe), { chosen: 'koi8-u' }).text, 'ўЎ')
})

test('English with one sign or a foreign name is windows-1252', () => {
  const line = (text: string, at: number) => `${at + 1}\n00:00:0${at % 10},000 --> 00:00:0${at % 10},900\n${text}\n`
  for (const sign of [
    '90°',
    '¶ la la la ¶',
    '½ cup',
    '§ 5',
    '€5',
    '5 µm',
    '3 × 4',
    '5¢',
    '±5',
    'señor',
    'AÑO',
    'the café',
    '20°C',
    'naïve',
    'Zoë',
  ]) {
    const cues = [...Array.from({ length: 40 }, () => 'Where did you leave the keys?'), sign, 'I have no idea.']
    for (const text of [cues.map(line).join('\n'), line(sign, 0)]) {
      const found = decodeSubtitles(encoded(text, 'windows-1252'))
      assert.equal(found.text, text, `${sign}: ${found.encoding}`)
    }
  }
})

test('UTF-8 with an escape sequence is UTF-8', () => {
  assert.equal(textOf(Buffer.from('\u001b$Bé')), '\u001b$Bé')
})
