// Terms in texts: which are found, whether a translation has them, and what is translated again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asClient, type Client, clientOfPerson, OWNER } from '#control-plane/clients/client.ts'
import {
  createTermFinder,
  hasTarget,
  missedTerms,
  withTargets,
} from '#control-plane/features/listening/translation/glossary/glossary.rules.ts'
import { createGlossary } from '#control-plane/features/listening/translation/glossary/glossary.service.ts'
import { createGlossaryStore } from '#control-plane/features/listening/translation/glossary/glossary.store.ts'
import { translateTexts } from '#control-plane/features/listening/translation/providers/with-glossary.ts'
import type { Term } from '#control-plane/features/listening/translation/terms.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { cpuSeconds } from '#test/support/world/process.ts'

const term = (source: string, target: string): Term => ({ source, target, note: '' })
const found = (text: string, ...terms: Term[]) =>
  createTermFinder(terms)(text).map((hit) => [text.slice(hit.start, hit.end), hit.term.target])

test('a translation uses the terms of its client, and for a dub those of the owner, never those of others', () => {
  const db = openTestDatabase(':memory:')
  const [clock, random] = [createFakeClock(), systemRandom]
  const makers = createMakers({ db, clock })
  const linesOf = (id: string) => (id === 'dub' ? [] : null)
  const glossary = createGlossary({ store: createGlossaryStore({ db }), makers, notes: {} as never, linesOf, clock, random })
  const [ada, bob] = [clientOfPerson('ada'), clientOfPerson('bob')]
  for (const project of ['dub', 'free'])
    for (const [source, { id }] of Object.entries({ ada, bob, owner: OWNER })) glossary.add(project, { source, target: 'x', note: '' }, id)
  const used = (client: Client, project: string) => asClient(client, () => glossary.terms(project).map(({ source }) => source))
  assert.deepEqual([used(ada, 'dub'), used(ada, 'free')], [['ada', 'owner'], ['ada']])
  assert.deepEqual(used(OWNER, 'dub'), ['ada', 'bob', 'owner'])
  db.close()
})

test('the longest term wins, words are whole, and inflected forms are found', () => {
  const terms = [term('kernel', 'Kern'), term('kernel panic', 'Systemabsturz'), term('IT', 'EDV'), term('river', 'Fluss')]
  assert.deepEqual(found('A Kernel panic, then kernels.', ...terms), [
    ['Kernel panic', 'Systemabsturz'],
    ['kernels', 'Kern'],
  ])
  assert.deepEqual(found('It is it, not IT.', ...terms), [['IT', 'EDV']])
  assert.deepEqual(found('rivers riverside driver', ...terms), [
    ['rivers', 'Fluss'],
    ['riverside', 'Fluss'],
  ])
  assert.deepEqual(found('kernel. Then far away: panic', ...terms), [['kernel', 'Kern']])
  assert.deepEqual(found('我喜欢北京烤鸭', term('北京', 'Beijing'), term('北京烤鸭', 'Peking duck')), [['北京烤鸭', 'Peking duck']])
  assert.deepEqual(found('anything', term(' ', 'x'), term('anything', ' ')), [])
})

test('a translation has a term in an inflected form, and one that stays as it is exactly', () => {
  assert.ok(hasTarget(term('kernel', 'Systemkern'), 'Die Systemkerne laufen.'))
  assert.ok(!hasTarget(term('kernel', 'Kern'), 'Das Korn.'))
  assert.ok(hasTarget(term('ACME', 'ACME'), 'Bei ACME.'))
  assert.ok(!hasTarget(term('Acme', 'Acme'), 'Bei acme.'))
  assert.ok(hasTarget(term("O'Brien", "O'Brien"), 'Zu O’Brien.'))
  assert.ok(hasTarget(term('Peking duck', '北京烤鸭'), '我喜欢北京烤鸭。'))
})

test('a replaced word keeps its capitals, and a target with capitals of its own keeps those', () => {
  const terms = [term('river', 'fluss'), term('boat', 'eBoot')]
  const text = 'River RIVER river Boat'
  assert.equal(withTargets(text, createTermFinder(terms)(text), terms), 'Fluss FLUSS fluss eBoot')
})

test('for any text: hits are in order and apart, and after the replacement no replaced term is missed', () => {
  const word = fc.constantFrom('river', 'Rivers', 'kernel', 'panic', 'IT', 'it', 'ß', '北京', 'é', 'a-b', "o'c", '.', ' ', '\n', '🙂')
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
  const terms = fc.array(fc.record({ source: text, target: text, note: fc.constant('') }), { maxLength: 12 })
  fc.assert(
    fc.property(text, terms, (source, list) => {
      const hits = createTermFinder(list)(source)
      for (const [at, hit] of hits.entries()) {
        assert.ok(hit.start < hit.end && hit.end <= source.length)
        assert.ok(at === 0 || hits[at - 1]!.end <= hit.start)
      }
      const replaced = withTargets(
        source,
        hits,
        hits.map((hit) => hit.term),
      )
      for (const missed of missedTerms(hits, replaced)) assert.ok(hits.some((hit) => hit.term === missed))
    }),
    { numRuns: 300 },
  )
  const long = 'river kernel '.repeat(20_000)
  assert.equal(createTermFinder([term('river', 'x'), term('kernel panic', 'y')])(long).length, 20_000)
})

test('a line that misses a term is translated again with the target in it, and the better one is kept', async () => {
  const asked: string[][] = []
  const service = {
    id: 'x',
    translate: async ({ texts }: { readonly texts: readonly string[] }) => {
      asked.push([...texts])
      return { answers: texts.map((text) => ({ text: text.replace('kernel', 'Korn').replace('The', 'Der') })), notices: [] }
    },
  }
  const find = createTermFinder([term('kernel', 'Kern'), term('ship', 'Schiff')])
  const order = { texts: ['The kernel', 'The ship', 'The end'], source: 'en', target: 'de', find }
  const { answers } = await translateTexts(service, order, { signal: new AbortController().signal, traceparent: '' })
  assert.deepEqual(answers, [{ text: 'Der Kern' }, { text: 'Der Schiff' }, { text: 'Der end' }])
  assert.deepEqual(asked, [
    ['The kernel', 'The ship', 'The end'],
    ['The Kern', 'The Schiff'],
  ])
})

test('answers that no subtitle or voice can have are errors of their lines, and markup stays text', async () => {
  const answers = ['<b>{\\an8}</b> & --> x', 'a\u0000b\u001b[31m\r\nc\ud800', ' \u0007\n', 'x'.repeat(1_000_000), '']
  const service = { id: 'x', translate: async () => ({ answers: answers.map((text) => ({ text })), notices: [] }) }
  const order = { texts: answers.map((_, at) => `Line ${at}.`), source: 'en', target: 'de', find: createTermFinder([]) }
  const found = await translateTexts(service, order, { signal: new AbortController().signal, traceparent: '' })
  const none = { error: 'The translator returned no text for this line.' }
  const long = { error: 'The translator returned 1000000 characters for this line.' }
  assert.deepEqual(found.answers, [{ text: answers[0] }, { text: 'a b [31m\nc\ufffd' }, none, long, none])
})

test('the work for a hostile glossary is bounded', () => {
  const alike = Array.from({ length: 2_000 }, (_, at) => term('中'.repeat(1 + (at % 2)), `x${at}`))
  const many = Array.from({ length: 1_200 }, (_, at) => term(`w${at.toString(36)}`, `z${at.toString(36)}`))
  const line = many.map(({ source }) => source).join(' ')
  const before = cpuSeconds(process.pid)
  assert.equal(createTermFinder(alike)('中'.repeat(5_000)).length, 2_500)
  assert.equal(missedTerms(createTermFinder(many)(line), line).length, 1_200)
  const spent = cpuSeconds(process.pid) - before
  assert.ok(spent < 1, `${spent} s`)
})
