import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLineSplitter, lastText, linesIn, readLog } from '#shared/runtime/lines.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

const LIMIT = 20
/** The lines of `pieces`, and whether each is whole. */
function read(pieces: readonly (Buffer | string)[], limit = LIMIT): [string, boolean][] {
  const lines: [string, boolean][] = []
  const { push, end } = createLineSplitter(limit, (line, isWhole) => lines.push([line, isWhole]))
  for (const piece of pieces) push(piece)
  end()
  return lines
}

test('text in any pieces has the lines of the whole text', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '€', '😀', '\r', '\n'), { maxLength: 60 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(80), { maxLength: 8 }), (whole, cuts) => {
      const bytes = Buffer.from(whole)
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((one, other) => one - other), bytes.length]
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
      const expected = whole.split(/\r\n|\r|\n/)
      if (expected.at(-1) === '') expected.pop()
      assert.deepEqual(
        read(pieces, 1000),
        expected.map((line) => [line, true]),
      )
    }),
  )
})

test('the beginning of a long line is kept, in any pieces, and the next line is whole', () => {
  const long = 'x'.repeat(LIMIT + 1)
  for (const pieces of [[`${long}\nnext\n`], [...`${long}\nnext\n`], [long, long, '\nnext'], [`${'x'.repeat(LIMIT)}`, 'y\nnext']])
    assert.deepEqual(
      read(pieces),
      [
        ['x'.repeat(LIMIT), false],
        ['next', true],
      ],
      JSON.stringify(pieces),
    )
  assert.deepEqual(read([`${'x'.repeat(LIMIT)}\n`]), [['x'.repeat(LIMIT), true]])
})

test('a gigabyte without a line end takes no memory', () => {
  const piece = Buffer.alloc(2 ** 20, 'a')
  let seen = 0
  const { push, end } = createLineSplitter(LIMIT, () => seen++)
  push(piece)
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 1024; count++) push(piece)
  assert.ok(process.memoryUsage().heapUsed - before < 64 * 2 ** 20)
  end()
  assert.equal(seen, 1)
})

test('lines of a stream come as they arrive, and its error is thrown', async () => {
  const lines: string[] = []
  const stream = Readable.from(
    (async function* () {
      yield 'one\ntw'
      yield 'o\nthree'
      throw new Error('lost')
    })(),
  )
  await assert.rejects(async () => {
    for await (const line of linesIn(stream, LIMIT)) lines.push(line)
  }, /lost/)
  assert.deepEqual(lines, ['one', 'two'])
  assert.deepEqual(await collected(linesIn(Readable.from(['a\n', 'b']), LIMIT)), ['a', 'b'])
})

async function collected(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test('the end of a text is kept', async () => {
  const stream = new PassThrough()
  const last = lastText(stream, 5)
  for (const piece of ['first', 'sec', 'ond €'.slice(0, 4), '€']) stream.write(piece)
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  assert.equal(last(), 'ond €')
  assert.equal(lastText(null, 5)(), '')
})

test('a flood in a log is cut to a few lines a second, and the rest is counted', async () => {
  const clock = createFakeClock()
  const stream = new PassThrough()
  const lines: string[] = []
  readLog(stream, clock, (line) => lines.push(line))
  const say = async (text: string) => {
    stream.write(text)
    await turn()
  }
  await say('line\n'.repeat(10_000))
  assert.deepEqual([lines.length, lines.at(-1)], [200, 'line'])
  clock.advance(1_000)
  await say('later\n'.repeat(100))
  assert.deepEqual([lines.length, lines[200], lines[201]], [221, '9800 further lines were dropped.', 'later'])
  clock.advance(60_000)
  await say(`${'x'.repeat(1_000_000)}\n`)
  assert.deepEqual(lines.slice(-2), ['80 further lines were dropped.', 'x'.repeat(500)])
})
