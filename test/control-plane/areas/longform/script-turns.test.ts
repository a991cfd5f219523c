// A manuscript is parsed in turns of the event loop, with the same result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planOf } from '#control-plane/areas/longform/plan/plan.rules.ts'
import { parseScriptInTurns } from '#control-plane/areas/longform/plan/script-turns.ts'
import { parseScript } from '#shared/text/script/script.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'

test('a script that is parsed in turns has the same chapters', async () => {
  const piece = fc.constantFrom('# ', '[pause]', '[voice:x]', '[slow]', '\n', '\r\n', 'word', ' ')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const text = pieces.join('')
      assert.deepEqual(await parseScriptInTurns(text), parseScript(text))
    }),
  )
})

test('other work of the studio goes on while a large book is planned', async () => {
  const text = Array.from({ length: 2_000 }, (_, at) => `# Part ${at}\nOne [slow]two[/slow]. ${'three '.repeat(40)}[pause]`).join('\n\n')
  let turns = 0
  let isOver = false
  const others = async () => {
    while (!isOver) {
      turns++
      await turn()
    }
  }
  const working = others()
  const plan = await planOf(text, null)
  isOver = true
  await working
  assert.equal(plan.chapter_count, 2_000)
  assert.ok(turns >= text.length / 16_384, `${turns} turns for ${text.length} characters`)
})
