// The search of the palette: every word must be in the name, names that begin with it come first, and the work grows with the names only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundItems, matchedParts, wantedOf } from '#control-plane/web/palette/items.ts'

type Item = Parameters<typeof foundItems>[0][number]
const item = (group: Item['group'], name: string): Item => ({ id: `${group} ${name}`, group, name, about: '', icon: 'speak', tint: 1 })
const namesOf = (items: readonly Item[], text: string) =>
  foundItems(items, text).map(({ group, items: found }) => [group, found.map(({ name }) => name)])

test('items are found by all words of the text, the best first, in groups of a fixed order', () => {
  const items = [
    item('jobs', 'Lighthouse'),
    item('voices', 'Candle light'),
    item('voices', 'Twilight'),
    item('voices', 'Lighthouse keeper'),
    item('actions', 'Switch to light theme'),
    item('pages', 'Speak'),
  ]
  assert.deepEqual(namesOf(items, ' LIGHT '), [
    ['actions', ['Switch to light theme']],
    ['voices', ['Lighthouse keeper', 'Candle light', 'Twilight']],
    ['jobs', ['Lighthouse']],
  ])
  assert.deepEqual(namesOf(items, 'keeper light'), [['voices', ['Lighthouse keeper']]])
  assert.deepEqual(namesOf(items, '> light'), [['actions', ['Switch to light theme']]])
  assert.deepEqual(
    namesOf(items, ''),
    [
      ['actions', ['Switch to light theme']],
      ['pages', ['Speak']],
    ].reverse(),
  )
  assert.deepEqual(namesOf(items, 'light house*'), [], 'characters of patterns are text')
  assert.equal(
    foundItems(
      Array.from({ length: 5000 }, (_, at) => item('voices', `Voice ${at}`)),
      'voice',
    )[0]?.items.length,
    6,
  )
})

test('the parts of a name that match are marked, also where letters change their number in lower case', () => {
  const marked = (name: string, text: string) =>
    matchedParts(name, wantedOf(text).words)
      .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
      .join('')
  assert.equal(marked('The Lighthouse', 'light the'), '[The] [Light]house')
  assert.equal(marked('abab', 'ab aba'), '[ab]ab')
  assert.equal(marked('İstanbul', 'stan'), 'İstanbul')
})
