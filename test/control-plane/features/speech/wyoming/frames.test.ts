// The frames and texts of the Wyoming server without processes: any pieces, and bytes that no honest client sends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesOfEvent, createEventReader, type WyomingEvent } from '#control-plane/features/speech/wyoming/frames.ts'
import { createSentenceCutter, textPieces } from '#control-plane/features/speech/wyoming/texts.rules.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { play } from '#test/fuzz/seed.ts'

function read(bytes: Buffer, piece: number): { readonly events: WyomingEvent[]; readonly isWithin: boolean } {
  const reader = createEventReader()
  const events: WyomingEvent[] = []
  for (let at = 0; at < bytes.length; at += piece) events.push(...reader.push(bytes.subarray(at, at + piece)))
  return { events, isWithin: reader.isWithin() }
}
const refusal = (text: string | Buffer): string => {
  try {
    read(Buffer.from(text), 7_919)
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'BAD_REQUEST', String(error))
    return error.message
  }
  throw new Error('it was read')
}

test('events are the same however they are cut into pieces', async (t) => {
  const event = fc.record({
    type: fc.constantFrom('ping', 'describe', 'audio-chunk', 'x'),
    data: fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 40, unit: 'binary' }), { maxKeys: 4 }),
    payload: fc.uint8Array({ maxLength: 3000 }),
  })
  const inputs = fc.record({ events: fc.array(event, { maxLength: 6 }), piece: fc.integer({ min: 1, max: 5000 }) })
  await play(t, 100, inputs, ({ events, piece }) => {
    const sent = Buffer.concat(events.map(({ type, data, payload }) => bytesOfEvent(type, data, payload)))
    const { events: got, isWithin } = read(sent, piece)
    assert.equal(isWithin, false)
    // JSON drops the difference between a property of the prototype and one that was sent.
    const plain = (data: object) => JSON.parse(JSON.stringify(data))
    assert.deepEqual(
      got.map(({ type, data, payload }) => [type, plain(data), [...payload]]),
      events.map(({ type, data, payload }) => [type, plain(data), [...payload]]),
    )
  })
})

test('any bytes are read or refused, and never more is kept than the limits allow', async (t) => {
  const line = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((json) => Buffer.from(`${json}\n`)),
    fc
      .record({
        type: fc.oneof(fc.string(), fc.integer(), fc.constant('ping')),
        data: fc.anything(),
        data_length: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.nat(500), fc.string()),
        payload_length: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.nat(500)),
      })
      .map((fields) => Buffer.from(`${JSON.stringify(fields) ?? ''}\n`)),
  )
  await play(t, 300, fc.tuple(fc.array(line, { maxLength: 8 }), fc.integer({ min: 1, max: 700 })), ([lines, piece]) => {
    try {
      read(Buffer.concat(lines), piece)
    } catch (error) {
      assert.ok(error instanceof Failure && error.code === 'BAD_REQUEST', String(error))
    }
  })
})

test('lines, lengths and JSON beyond the limits are refused with a sentence', () => {
  assert.match(refusal('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'), /^The line of an event cannot be read: it is not a JSON object\.$/)
  assert.match(refusal('x'.repeat(70_000)), /longer than 64 KiB/)
  assert.match(refusal('[]\n'), /is not a JSON object/)
  assert.match(refusal(`${'['.repeat(60_000)}\n`), /is not a JSON object/)
  assert.match(refusal('{"type":"ping","payload_length":1048577}\n'), /its field payload_length is invalid/)
  assert.match(refusal('{"type":"ping","data_length":99999999999}\n'), /its field data_length is invalid/)
  assert.match(refusal('{"type":"ping","data_length":-1}\n'), /data_length/)
  assert.match(refusal('{"type":"ping","data_length":1.5}\n'), /data_length/)
  assert.match(refusal('{"type":7}\n'), /its field type is invalid/)
  assert.match(refusal('{"type":"ping","data_length":4}\n[1]\n'), /The data of an event is not a JSON object/)
  assert.equal(read(Buffer.from('{"type":"ping","data_length":40}\n{"te'), 5).isWithin, true)
  const polluted = read(Buffer.from('{"type":"ping","data":{"__proto__":{"text":"x"}}}\n'), 99).events[0]!
  assert.equal(({} as { text?: string }).text, undefined)
  assert.equal(polluted.type, 'ping')
})

test('a text that arrives in chunks is spoken sentence by sentence, and no word is lost', () => {
  const cut = (chunks: readonly string[]) => {
    const cutter = createSentenceCutter('en')
    return [...chunks.map((chunk) => cutter.add(chunk)), cutter.end()]
  }
  assert.deepEqual(cut(['Good mor', 'ning. ', 'Dr. Smith', ' is here', '. It costs 3', '.50 dollars.']), [
    [],
    [],
    ['Good morning.'],
    [],
    ['Dr. Smith is here.'],
    [],
    ['It costs 3.50 dollars.'],
  ])
  assert.deepEqual(cut(['One two ', 'three']).flat(), ['One two three'], 'blanks between chunks stay')
  assert.deepEqual(cut(['...', ' ', '🙂']).flat(), [], 'nothing to speak')
  const endless = cut(Array.from({ length: 500 }, () => 'word '))
  assert.equal(endless.flat().join(' '), Array.from({ length: 500 }, () => 'word').join(' '))
  assert.ok(endless.flat().every(({ length }) => length <= 1_000))
})

test('a long text is cut between sentences', () => {
  const sentence = 'This sentence has some words. '
  const pieces = textPieces(sentence.repeat(400), 'en')
  assert.ok(pieces.length >= 3 && pieces.every(({ length }) => length <= 4_000))
  assert.equal(pieces.join(' '), sentence.repeat(400).trim())
  assert.deepEqual(textPieces('?!', ''), [])
  const unbroken = textPieces('ä𝒳'.repeat(4_000), '')
  assert.equal(unbroken.join(''), 'ä𝒳'.repeat(4_000))
  assert.ok(unbroken.every((piece) => piece.isWellFormed()))
})
