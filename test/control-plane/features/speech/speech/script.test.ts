import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  checkScript,
  cutAtPauses,
  cutAtSentences,
  durationAfter,
  durationNotices,
  refuseLongPauses,
} from '#control-plane/features/speech/speech/script.ts'
import { withoutMarkTags } from '#shared/text/script/mark.ts'

const pauses = (text: string) => cutAtPauses(text)?.segments.map(({ text, pauseAfterMs }) => `${text} ${pauseAfterMs}`) ?? null

test('a text without markers is not cut at pauses', () => {
  for (const text of ['', 'Hello.', '[pausing]', '[pause ten]', '[pause 70]', '[pause 5 minutes]', '[ pause]', 'pause 500ms'])
    assert.equal(pauses(text), null)
})

test('pauses have milliseconds, seconds or no length', () => {
  assert.deepEqual(pauses('One [pause] two [pause 250ms] three [pause 1.5s] four [PAUSE 2 S] five'), [
    'One 500',
    'two 250',
    'three 1500',
    'four 2000',
    'five 0',
  ])
})

test('a pause with a colon, as other servers write it, is the same pause', () => {
  assert.deepEqual(pauses('One [pause:1.5s] two[pause: 250ms]three [PAUSE : 2S] four'), ['One 1500', 'two 250', 'three 2000', 'four 0'])
  for (const text of ['[pause:]', '[pause:ten]', '[pause:1.5]', '[pause::1s]', '[pause:-1s]']) assert.equal(pauses(text), null, text)
})

test('consecutive pauses add up to at most a minute', () => {
  assert.deepEqual(pauses('[pause 9s] a [pause 1s] [pause 2s]b'), ['a 3000', 'b 0'])
  assert.deepEqual(pauses('a[pause 3600s]'), ['a 60000'])
  assert.deepEqual(pauses(`a${'[pause 40s]'.repeat(9)}b`), ['a 60000', 'b 0'])
  assert.deepEqual(pauses(' [pause] '), [])
})

test('a pause before the first word is kept', () => {
  assert.equal(cutAtPauses('[pause 2s] Hello.')?.leadMs, 2000)
  assert.equal(cutAtPauses(' [pause] [pause 1s]Hello.')?.leadMs, 1500)
  assert.equal(cutAtPauses(`${'[pause 40s]'.repeat(9)}b`)?.leadMs, 60_000)
  assert.equal(cutAtPauses('Hello [pause]')?.leadMs, 0)
  assert.equal(durationAfter(2000, 5), 3)
  assert.equal(durationAfter(2000, null), null)
  assert.throws(() => durationAfter(2000, 2), { code: 'INVALID_TASK_PARAMS' })
})

test('pauses may add up to ten minutes, or to ten times the speech', () => {
  const check = (text: string) => checkScript(cutAtPauses(text)!)
  check(`${'a[pause 60s]'.repeat(10)}`)
  assert.throws(() => check(' [pause]'), { code: 'INVALID_TASK_PARAMS' })
  assert.throws(() => check('a[pause 60s]'.repeat(11)), { code: 'INVALID_TASK_PARAMS', message: /add up to 660 s/ })
  assert.throws(() => check(`[pause 1s]${'a[pause 60s]'.repeat(10)}`), { code: 'INVALID_TASK_PARAMS' })
  check(`${'a sentence of words. [pause 60s]'.repeat(11)}`)
  const segments = [{ pause_after_ms: 700_000 }]
  const spoken = (seconds: number) => ({ parts: [{ samples: (700 + seconds) * 100 }], sample_rate: 100 })
  refuseLongPauses(0, segments, spoken(70))
  assert.throws(() => refuseLongPauses(0, segments, spoken(69)), { code: 'INVALID_TASK_PARAMS' })
  assert.throws(() => refuseLongPauses(10_000, segments, spoken(70)), { code: 'INVALID_TASK_PARAMS' })
})

test('whole sentences share a chunk if they fit', () => {
  const cut = (max: number) => cutAtSentences('One two. Three four. Five six seven eight. Nine.', max, 'en').map(({ text }) => text)
  assert.deepEqual(cut(20), ['One two. Three four.', 'Five six seven eight.', 'Nine.'])
  assert.deepEqual(cut(19), ['One two.', 'Three four.', 'Five six seven eight.', 'Nine.'])
  assert.deepEqual(cut(1000), ['One two. Three four. Five six seven eight. Nine.'])
  assert.equal(cut(0).length, 1)
  assert.equal(cut(1).length, 4, 'a sentence is never cut')
})

test('a chunk ends at a sentence of its language', () => {
  const cut = (language: string) => cutAtSentences('Sie kam am 3. Mai an. Er ging.', 14, language).map(({ text }) => text)
  assert.deepEqual(cut('de'), ['Sie kam am 3. Mai an.', 'Er ging.'])
  assert.deepEqual(cut('en'), ['Sie kam am 3.', 'Mai an.', 'Er ging.'])
})

test('the lines of a list stay apart in a chunk', () => {
  const list = `Apples\nPears\n${'They are ripe. '.repeat(9)}`
  const [first] = cutAtSentences(list, 60, 'en')
  assert.equal(first!.text, 'Apples\n\nPears\n\nThey are ripe. They are ripe. They are ripe.')
})

test('no chunk loses or moves a word, for any width', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}[.,!?]?$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), fc.nat(80), (words, width) => {
      const chunks = cutAtSentences(words.join(' '), width, 'en').map(({ text }) => text)
      assert.equal(chunks.join(' '), words.join(' '))
      assert.ok(chunks.every((chunk) => chunk.trim() === chunk && chunk !== ''))
    }),
    { numRuns: 200, seed: 3 },
  )
})

test('no text between pauses is lost, for any text', () => {
  const marker = fc.constantFrom('[pause]', '[pause 10ms]', '[pause 2s]', '[pause 1.25 s]')
  fc.assert(
    fc.property(fc.array(fc.oneof(marker, fc.stringMatching(/^[a-z []{1,6}$/)), { maxLength: 20 }), (parts) => {
      const text = parts.join('')
      const script = cutAtPauses(text)
      if (script === null) return
      const { segments } = script
      const bare = (some: string) => some.replaceAll(/\[pause(?: ?[\d.]+ ?m?s)?\]/g, '').replaceAll(/\s/g, '')
      assert.equal(bare(segments.map((one) => one.text).join('')), bare(text))
      assert.ok(segments.every(({ pauseAfterMs }) => pauseAfterMs >= 0 && pauseAfterMs <= 60_000))
    }),
    { numRuns: 200, seed: 5 },
  )
})

test('a duration that was not met is reported with the one that was', () => {
  const result = { parts: [{ samples: 1000 }, { samples: 1000 }], sample_rate: 100 }
  for (const duration of [null, 20, 20.9, 19.1]) assert.deepEqual(durationNotices(duration, 0, result), [])
  assert.deepEqual(durationNotices(22, 2000, result), [])
  assert.match(durationNotices(30, 0, result)[0]!, /lasts 20\.0 s\..*duration of 30 s/)
})

test('a text is cut at marks too, which keep their place before, between and behind the words', () => {
  assert.deepEqual(cutAtPauses('[mark:a]One[mark:b] [pause 1s] [mark:c] two [mark:d]'), {
    leadMs: 0,
    segments: [
      { text: 'One', pauseAfterMs: 1000, marks: ['a'] },
      { text: 'two', pauseAfterMs: 0, marks: ['b', 'c'] },
    ],
    marksAfter: ['d'],
  })
  assert.equal(withoutMarkTags('[mark:a]One [mark:b] two [mark: c] [mark:]'), 'One two [mark: c] [mark:]')
})
