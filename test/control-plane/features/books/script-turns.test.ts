// A manuscript is parsed in turns of the event loop, with the same result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planChapters } from '#control-plane/features/books/assembly/chapters.ts'
import { planOf } from '#control-plane/features/books/plan/plan.rules.ts'
import { parseScriptInTurns } from '#control-plane/features/books/plan/script-turns.ts'
import { parseScript } from '#shared/text/script/script.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'

const planned = (text: string) => planOf(text, { defaultVoice: null, language: null })

test('a script that is parsed in turns has the same chapters', async () => {
  const piece = fc.constantFrom('# ', '[pause]', '[voice:x]', '[slow]', '\n', '\r\n', 'word', ' ')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const text = pieces.join('')
      assert.deepEqual(await parseScriptInTurns(text), parseScript(text))
    }),
  )
})

/** Counts the turns of other work of the studio. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0
  let isOver = false
  const others = async () => {
    while (!isOver) {
      turns++
      await turn()
    }
  }
  const working = others()
  const result = await work()
  isOver = true
  await working
  return { result, turns }
}

test('other work of the studio goes on while a large book is planned', async () => {
  const text = Array.from({ length: 2_000 }, (_, at) => `# Part ${at}\nOne [slow]two[/slow]. ${'three '.repeat(40)}[pause]`).join('\n\n')
  const { result, turns } = await turnsDuring(() => planned(text))
  assert.equal(result.chapter_count, 2_000)
  assert.ok(turns >= text.length / 16_384, `${turns} turns for ${text.length} characters`)
})

test('tags are counted in parts of the text, also those that begin in one part and end in the next', async () => {
  const tags = '[pause]'.repeat(100_000)
  assert.equal((await planned(`One.${tags}`)).chapters[0]?.spans.length, 1)
  const { turns } = await turnsDuring(() => assert.rejects(planned(`${tags}[/emphasis]`), { code: 'INVALID_REQUEST' }))
  assert.ok(turns > 2, `${turns} turns`)
})

test('characters are counted as code points', async () => {
  assert.equal((await planned('# A\nAé𝄞漢👍🏽.')).char_count, 7)
})

test('the chapters of a book get their digests in turns, and the same ones as alone', async () => {
  const speaker = { gainDb: 1.5 }
  const chapters = Array.from({ length: 50 }, (_, at) => ({ title: '', segments: [{ key: `key ${at}`, gapMs: 250, speaker }] }))
  const shape = { output: { bitrateKbps: 64, loudness: null }, codec: 'mp3', sampleRate: 24_000 } as Parameters<typeof planChapters>[1]
  const signal = new AbortController().signal
  const plan = (some: readonly object[]) => planChapters(some as Parameters<typeof planChapters>[0], shape, signal)
  const { result, turns } = await turnsDuring(() => plan(chapters))
  assert.ok(turns >= 50, `${turns} turns`)
  assert.deepEqual([result[7]!.index, result[7]!.digest], [7, (await plan([chapters[7]!]))[0]!.digest])
  await assert.rejects(planChapters(chapters as never, shape, AbortSignal.abort(new Error('stopped'))), /stopped/)
})
