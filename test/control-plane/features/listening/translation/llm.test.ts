// Lines through a language model that may answer anything: every line ends with a usable text or without one, and never with that of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTermFinder } from '#control-plane/features/listening/translation/glossary/glossary.rules.ts'
import { createLlmAsker, type LlmAsker, translateWithLlm } from '#control-plane/features/listening/translation/llm/lines.ts'
import { jsonIn, LineText, lineObjection } from '#control-plane/features/listening/translation/llm/reply.rules.ts'
import { reviewWithLlm } from '#control-plane/features/listening/translation/llm/review.ts'
import { bestCandidate } from '#control-plane/features/listening/translation/llm/shorten.ts'
import { windowsOf } from '#control-plane/features/listening/translation/llm/window.rules.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

type Asked = {
  readonly lines: readonly { readonly id: string; readonly text: string }[]
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}
const notes = { source: 'en', target: 'de', dialect: '', summary: '', proposed: [] }
const signal = new AbortController().signal
const linesOf = (texts: readonly string[]) => texts.map((text, at) => ({ id: `L${at + 1}`, text, manner: '', characters: null }))
const german = (text: string) => `Auf Deutsch: ${text}`
const replyOf = (rows: readonly unknown[]) => JSON.stringify({ lines: rows })

/** `answer` gets what was asked; null stands for a failed call. */
function open(answer: (asked: Asked, call: number) => string | null) {
  const asked: Asked[] = []
  const asker: LlmAsker = {
    failure: () => null,
    ask: async (messages) => {
      const task = JSON.parse(messages.at(-1)!.content) as Asked
      asked.push(task)
      return answer(task, asked.length)
    },
  }
  const translate = (texts: readonly string[], find = createTermFinder([])) =>
    translateWithLlm(linesOf(texts), { asker, notes, find, signal })
  return { asked, asker, translate }
}
const obey = ({ lines }: Asked) => replyOf(lines.map(({ id, text }) => ({ id, text: german(text) })))
const many = Array.from({ length: 20 }, (_, at) => `this is line number ${at}`)

test('windows have eight lines, with three before and two after to read', async () => {
  const { asked, translate } = open(obey)
  const done = await translate(many)
  assert.deepEqual(
    asked.map(({ before, lines, after }) => [before.length, lines.length, after.length]),
    [
      [0, 8, 2],
      [3, 8, 2],
      [3, 4, 0],
    ],
  )
  assert.deepEqual(asked[1]!.before[2], { text: many[7], translation: german(many[7]!) })
  assert.equal(done.get('L20'), german(many[19]!))
  assert.deepEqual(
    windowsOf([{ text: 'x'.repeat(5_000) }, { text: 'x'.repeat(5_000) }, { text: 'x' }]).map(({ length }) => length),
    [1, 2],
  )
})

test('missing lines alone are asked again, then in halves, then one by one', async () => {
  const { asked, translate } = open((task, call) =>
    call === 1 ? replyOf([{ id: 'L2', text: german('b') }]) : task.lines.length > 1 ? 'no' : obey(task),
  )
  const done = await translate(many.slice(0, 5))
  assert.deepEqual(
    asked.map(({ lines }) => lines.map(({ id }) => id).join()),
    ['L1,L2,L3,L4,L5', 'L1,L3,L4,L5', 'L1,L3', 'L4,L5', 'L1', 'L3', 'L4', 'L5'],
  )
  assert.equal(done.size, 5)
})

test('a model that never answers costs a limited number of calls', async () => {
  const { asked, translate } = open(() => 'Sorry, I cannot help with that.')
  assert.equal((await translate(many.slice(0, 8))).size, 0)
  assert.equal(asked.length, 12)
})

test('a term that is missing is asked for once more, and the better line stays', async () => {
  const find = createTermFinder([{ source: 'number', target: 'Ziffer', note: '' }])
  const { asked, translate } = open(({ lines }, call) =>
    replyOf(lines.map(({ id }) => ({ id, text: call === 1 ? 'Das ist die Zahl null' : 'Das ist die Ziffer null' }))),
  )
  assert.equal((await translate([many[0]!], find)).get('L1'), 'Das ist die Ziffer null')
  assert.equal(asked.length, 2)
})

test('hostile answers: no line gets the text of another one, and nothing throws', async () => {
  const reply = fc.oneof(
    fc.constant('1 MB'),
    fc.constant('nested'),
    fc.constant('positions'),
    fc.constant('extra'),
    fc.constant('twice'),
    fc.constant('prompt'),
    fc.constant('swapped key'),
    fc.constant('fenced'),
    fc.constant('obey'),
    fc.string({ maxLength: 50 }),
  )
  const answerOf = (kind: string, task: Asked): string => {
    const rows = task.lines.map(({ id, text }) => ({ id, text: german(text) }))
    if (kind === '1 MB') return `{"lines": [{"id": "L1", "text": "${'x'.repeat(1_000_000)}"}]}`
    if (kind === 'nested') return '['.repeat(200_000)
    if (kind === 'positions') return JSON.stringify(rows.map(({ text }) => text))
    if (kind === 'extra') return replyOf([...rows, { id: 'L99', text: 'more' }, { id: '__proto__', text: 'x' }, null, 5])
    if (kind === 'twice') return replyOf([...rows, ...rows.map(({ id }) => ({ id, text: german('something else entirely') }))])
    if (kind === 'prompt') return replyOf(rows.map(({ id }) => ({ id, text: `\`\`\`{"id": "${id}"}` })))
    if (kind === 'swapped key') return JSON.stringify(Object.fromEntries(rows.map(({ id, text }) => [id, text])))
    if (kind === 'fenced') return `Here it is:\n\`\`\`json\n${replyOf(rows)}\n\`\`\``
    return kind === 'obey' ? replyOf(rows) : kind
  }
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 12 }), async (kinds, count) => {
      const { asked, translate } = open((task, call) => answerOf(kinds[(call - 1) % kinds.length]!, task))
      const texts = many.slice(0, count)
      const done = await translate(texts)
      for (const [id, text] of done) assert.equal(text, german(texts[Number(id.slice(1)) - 1]!))
      assert.ok(asked.length <= 26, `${asked.length} calls`)
      const last = kinds.length === 1 ? kinds[0]! : ''
      if (['obey', 'fenced', 'extra'].includes(last)) assert.equal(done.size, count)
    }),
    { numRuns: 60 },
  )
})

test('a line is refused when it cannot be the translation', () => {
  const objection = (source: string, text: string, target = 'de') => lineObjection(source, text, { source: 'en', target })
  assert.equal(objection('Where are you going?', 'Wohin gehst du?'), null)
  assert.equal(objection('Where are you going?', ''), 'empty')
  assert.equal(objection('where are you going now', 'Where are you going now'), 'untranslated')
  assert.equal(objection('Anna Karenina 1877', 'Anna Karenina 1877'), null)
  assert.equal(objection('Where are you going?', 'Куда ты идёшь сейчас?'), 'script')
  assert.equal(objection('Where are you going?', 'Where to, friend?', 'ru'), 'script')
  assert.equal(objection('Where are you going?', '你要去哪里？', 'zh'), null)
  assert.equal(objection('OK', 'Einverstanden'), null)
  assert.equal(objection('OK', 'x'.repeat(200)), 'length')
  assert.equal(objection('a line of some length that says something important to everyone', 'x'), 'length')
  assert.equal(objection('Hello there', 'L1: Hallo'), 'leftover')
  assert.equal(LineText.parse('a\u0000\n\tb  c '), 'a b c')
  assert.equal(jsonIn('no JSON { here'), undefined)
  assert.deepEqual(jsonIn('x [1] y'), [1])
})

test('a review keeps the literal line where the answer is worse', async () => {
  const find = createTermFinder([{ source: 'captain', target: 'Kapitän', note: '' }])
  const { asker } = open(() =>
    replyOf([
      { id: 'L1', text: 'Wo ist der Kapitän geblieben?', critique: 'stiff' },
      { id: 'L2', text: 'Der Chef ist jetzt hier.', critique: 'loses the term' },
    ]),
  )
  const lines = linesOf(['where is the captain', 'the captain is here', 'Yes.']).map((line, at) => ({
    ...line,
    literal: ['Wo ist der Kapitän?', 'Der Kapitän ist hier.', 'Ja.'][at]!,
  }))
  const done = await reviewWithLlm(lines, { asker, notes, find, signal })
  assert.deepEqual([...done], [['L1', { text: 'Wo ist der Kapitän geblieben?', critique: 'stiff' }]])
})

test('of the shorter wordings the longest that fits is taken, if it keeps numbers and names', () => {
  const line = {
    text: 'Anna hat heute wirklich 12 Äpfel gekauft',
    source: 'Anna really bought 12 apples today',
    need: (text: string) => text.length / 24,
    isKept: () => true,
  }
  assert.equal(
    bestCandidate(line, ['Anna kauft 12 Äpfel', 'Anna kaufte 12 Äpfel ein', 'Anna kaufte Äpfel', 'Sie kaufte 12 Äpfel']),
    'Anna kaufte 12 Äpfel ein',
  )
  assert.equal(bestCandidate(line, ['Anna hat heute 12 Äpfel gekauft']), 'Anna hat heute 12 Äpfel gekauft')
  assert.equal(bestCandidate(line, ['Anna 12', line.text, `${line.text}!`]), null)
})

test('calls wait once where the provider says how long, and end after failures that repeat', async () => {
  const clock = createFakeClock()
  const failures: (LlmFailure | null)[] = [
    new LlmFailure('rate_limit', { retryAfterSeconds: 5 }),
    null,
    new LlmFailure('network'),
    new LlmFailure('network'),
  ]
  let calls = 0
  const ask = async () => {
    calls++
    const failure = failures.shift()
    if (failure) throw failure
    return { text: 'ok', model: 'm', latencyMs: 1 }
  }
  const skills = { state: () => ({ ready: true, reason: null }), ask }
  const asker = createLlmAsker({ skills, clock }, 'dub_translation')
  const first = asker.ask([], 0, signal)
  await turn()
  assert.equal(calls, 1)
  clock.advance(5_000)
  assert.equal(await first, 'ok')
  assert.deepEqual([await asker.ask([], 0, signal), asker.failure()], [null, null])
  assert.equal(await asker.ask([], 0, signal), null)
  assert.equal(asker.failure()!.kind, 'network')
  assert.equal(await asker.ask([], 0, signal), null)
  assert.equal(calls, 4)
})

test('a server that refuses to be asked for JSON is asked without that', async () => {
  const asked: (boolean | undefined)[] = []
  const ask = async (_id: string, { json }: { readonly json?: boolean }) => {
    asked.push(json)
    if (json) throw new LlmFailure('error')
    return { text: 'ok', model: 'm', latencyMs: 1 }
  }
  const asker = createLlmAsker(
    { skills: { state: () => ({ ready: true, reason: null }), ask }, clock: createFakeClock() },
    'dub_translation',
  )
  assert.deepEqual([await asker.ask([], 0, signal), await asker.ask([], 0, signal)], ['ok', 'ok'])
  assert.deepEqual(asked, [true, false, false])
})
