import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, EMPTY_DRAFT, linesOf, type StoredDub } from '#control-plane/web/pages/dub/lines.ts'
import { linesToStore } from '#control-plane/web/pages/dub/speech.ts'
import {
  canJoin,
  canSplit,
  cutNear,
  insertLine,
  joinLines,
  nextOf,
  roomFor,
  splitLine,
  withEdit,
  withText,
  withVoice,
} from '#control-plane/web/pages/dub-editor/edits.ts'
import {
  amended,
  EMPTY_HISTORY,
  markedAfter,
  rebased,
  recorded,
  redone,
  typingStep,
  undone,
} from '#control-plane/web/pages/dub-editor/history.ts'

const line = (id: string, start: number, text: string) => ({
  ...{ id, start, end: start + 2, text, text_original: text, speaker_id: 'A', profile_id: 'p' },
})
const DUB: StoredDub = {
  ...{ audio_path: '/x', input_type: 'video', duration: 10, source_lang: 'en', has_bg: false },
  segments: [line('a', 0, 'Good morning. How are you?'), line('b', 3, 'Fine.'), line('c', 6, 'Bye.')],
  dubbed_tracks: { es: {}, fr: {} },
  segments_i18n: { es: { a: 'Buenos días. ¿Cómo estás?', b: 'Bien.', c: 'Adiós.' }, fr: { a: 'Bonjour. Ça va ?', b: 'Bien.' } },
  fit_plans: { es: { lines: [{ id: 'a', naturalUs: 2e6, roomUs: 2e6, cutUs: 0, pastUs: 0, silence: null }] } },
}
const seen = (dub: StoredDub, draft: Draft, code = 'es') =>
  linesOf(dub, draft, code).map(({ id, start, end, source, target }) => [id, start, end, source, target])
const nowhere = { caret: null, at: null }
const split = (draft: Draft, id: string, place: { caret: number | null; at: number | null }, newId = 'n') => {
  const found = linesOf(DUB, draft, 'es').find((one) => one.id === id)!
  return splitLine(draft, DUB, found, { code: 'es', place, newId })
}

test('a line is split at the end of a sentence, at the caret, or where the film is; every language is split', () => {
  const draft = split(EMPTY_DRAFT, 'a', nowhere)
  assert.deepEqual(seen(DUB, draft).slice(0, 2), [
    ['a', 0, 1, 'Good morning.', 'Buenos días.'],
    ['n', 1, 2, 'How are you?', '¿Cómo estás?'],
  ])
  assert.deepEqual(
    seen(DUB, draft, 'fr')
      .slice(0, 2)
      .map((one) => one[4]),
    ['Bonjour.', 'Ça va ?'],
  )
  assert.deepEqual(
    linesOf(DUB, draft, 'es').map(({ state }) => state),
    ['changed', 'ready', 'spoken', 'spoken'],
  )
  const atCaret = seen(DUB, split(EMPTY_DRAFT, 'a', { caret: 'Buenos'.length, at: 0.5 }))
  assert.deepEqual(
    atCaret.slice(0, 2).map((one) => [one[1], one[4]]),
    [
      [0, 'Buenos'],
      [0.5, 'días. ¿Cómo estás?'],
    ],
  )
  // At the beginning of the text there is nothing to split; parts are never too short.
  assert.deepEqual(seen(DUB, split(EMPTY_DRAFT, 'a', { caret: 0, at: 1.99 }))[0]!.slice(1, 3), [0, 1.9])
  const again = split(split(EMPTY_DRAFT, 'a', nowhere), 'a', nowhere, 'm')
  assert.deepEqual(
    seen(DUB, again).map((one) => one[0]),
    ['a', 'm', 'n', 'b', 'c'],
    'a new line follows its own line',
  )
  assert.deepEqual(cutNear('晴れた朝でした', 0.5), ['晴れた朝', 'でした'])
  assert.deepEqual(cutNear('Word', 0.5), ['Word', ''])
})

test('lines are joined with their texts and times, and what cannot be split or joined says so', () => {
  const lines = linesOf(DUB, EMPTY_DRAFT, 'es')
  const next = nextOf(lines, 'a')!
  assert.deepEqual(seen(DUB, joinLines(EMPTY_DRAFT, DUB, lines[0]!, next)), [
    ['a', 0, 5, 'Good morning. How are you? Fine.', 'Buenos días. ¿Cómo estás? Bien.'],
    ['c', 6, 8, 'Bye.', 'Adiós.'],
  ])
  assert.equal(nextOf(lines, 'c'), undefined)
  assert.deepEqual(
    [canJoin(lines[0], next), canJoin(lines[2], undefined), canJoin({ ...next, target: 'x'.repeat(5_000) }, next)],
    [true, false, false],
  )
  assert.deepEqual(
    [canSplit(lines[0], 3), canSplit(lines[0], 5_000), canSplit({ ...next, end: 3.1 }, 3), canSplit(undefined, 3)],
    [true, false, false, false],
  )
  const parts = split(EMPTY_DRAFT, 'a', nowhere)
  const joined = linesOf(DUB, parts, 'es')
  assert.deepEqual(seen(DUB, joinLines(parts, DUB, joined[0]!, joined[1]!)), seen(DUB, EMPTY_DRAFT), 'joining undoes a split')
  const stored = linesToStore(DUB, linesOf(DUB, parts, 'es'))!
  assert.deepEqual(stored[1], { id: 'n', start: 1, end: 2, text: 'How are you?', speaker_id: 'A', profile_id: 'p' })
  assert.equal(linesToStore(DUB, lines), null, 'what the studio has is not sent')
})

test('steps are undone and redone, letters of a word together, in the language of the change', () => {
  const texts = ['B', 'Bi', 'Bie', 'Bie ', 'Bie y', 'Bie ya']
  let [history, draft] = [EMPTY_HISTORY, { ...EMPTY_DRAFT, target: 'es' } as Draft]
  const before = draft
  for (const text of texts) {
    const old = draft.texts['es']?.['b'] ?? ''
    history = recorded(history, draft, typingStep('es b', old, text))
    draft = withText(draft, 'es', 'b', text)
  }
  const undoneTexts: string[] = []
  let now = { ...draft, target: 'fr' }
  for (let next = undone(history, now); next; next = undone(next.history, next.draft)) {
    undoneTexts.push(next.draft.texts['es']?.['b'] ?? '')
    ;({ history, draft: now } = next)
  }
  assert.deepEqual(undoneTexts, ['Bie ', 'Bie', ''])
  assert.deepEqual(now, before)
  const forward = redone(history, now)!
  assert.deepEqual([forward.draft.texts['es']?.['b'], forward.draft.target, redone(EMPTY_HISTORY, now)], ['Bie', 'es', null])
  const many = Array.from({ length: 300 }).reduce<typeof history>((all) => recorded(all, draft, ''), EMPTY_HISTORY)
  assert.equal(many.past.length, 100)
  // What changes every earlier state is made when one is taken, once for each.
  const named = (name: string) => (one: Draft) => ({ ...one, names: { ...one.names, [name]: `${one.names[name] ?? ''}x` } })
  let amending = amended(recorded(amended(recorded(EMPTY_HISTORY, draft, ''), named('A')), draft, ''), named('B'))
  const last = undone(amending, draft)!
  const first = undone(last.history, last.draft)!
  assert.deepEqual([last.draft.names, first.draft.names], [{ B: 'x' }, { A: 'x', B: 'x' }])
  assert.deepEqual(redone(first.history, first.draft)!.draft.names, { B: 'x' }, 'not twice')
  for (let times = 0; times < 40; times++) amending = amended(amending, named('C'))
  assert.deepEqual([amending.past.length, amending.amendments.length], [0, 40])
})

test('what was spoken and stored meanwhile can be undone', () => {
  const lines = linesOf(DUB, EMPTY_DRAFT, 'es')
  const moved = withEdit(joinLines(EMPTY_DRAFT, DUB, lines[0]!, lines[1]!), DUB, 'c', { start: 7, source: 'Bye!' })
  const draft = withText(withVoice(moved, DUB, 'A', { voice: 'q', lines }), 'es', 'c', 'Chao.')
  const spoken = linesOf(DUB, draft, 'es')
  const after: StoredDub = {
    ...DUB,
    segments: linesToStore(DUB, spoken)!.map((one) => ({ ...one, text_original: one.text })),
    segments_i18n: {
      ...DUB.segments_i18n,
      es: { ...DUB.segments_i18n['es'], ...Object.fromEntries(spoken.map((one) => [one.id, one.target])) },
    },
  }
  assert.deepEqual(seen(after, draft), seen(DUB, draft), 'what is stored changes nothing that is shown')
  const earlier = rebased(EMPTY_DRAFT, DUB, after)
  assert.deepEqual(seen(after, earlier), seen(DUB, EMPTY_DRAFT))
  assert.deepEqual(
    linesOf(after, earlier, 'es').map(({ voice }) => voice),
    ['p', 'p', 'p'],
  )
  const marked = markedAfter(earlier, after, 'es', spoken)
  assert.deepEqual(marked.changed['es'], ['a', 'b', 'c'])
  // And back, when the earlier state was stored.
  const back = {
    ...after,
    segments: linesToStore(after, linesOf(after, earlier, 'es'))!.map((one) => ({ ...one, text_original: one.text })),
  }
  assert.deepEqual(seen(back, rebased(draft, after, back)), seen(DUB, draft))
})

test('a line is inserted where the film is, else after the selected line, and nowhere without room', () => {
  const lines = linesOf(DUB, EMPTY_DRAFT, 'es') // 0 to 2, 3 to 5 and 6 to 8 of 10 s
  const room = (at: number | null, selected = '', duration = 10) => {
    const found = roomFor(lines, { at, selected, duration, count: lines.length })
    return found && [found.after?.id, found.start, found.end]
  }
  assert.deepEqual(room(2.25), ['a', 2.25, 3])
  assert.deepEqual(room(8), ['c', 8, 10], 'at most two seconds')
  assert.deepEqual(room(9, '', 20), ['c', 9, 11])
  assert.deepEqual(room(3.5, 'b'), ['b', 5, 6], 'inside a line: after the selected one')
  assert.deepEqual(room(null, 'a'), ['a', 2, 3])
  assert.deepEqual([room(3.5), room(2.9), room(null), room(9.9, 'c', 8.1)], [null, null, null, null])
  assert.equal(roomFor(lines, { at: 2.25, selected: '', duration: 10, count: 5_000 }), null)
  assert.deepEqual(roomFor([], { at: 0.5, selected: '', duration: 10, count: 0 }), { after: undefined, start: 0.5, end: 2.5 })

  const draft = insertLine(EMPTY_DRAFT, 'n', roomFor(lines, { at: 2.25, selected: '', duration: 10, count: 3 })!)
  assert.deepEqual(seen(DUB, draft)[1], ['n', 2.25, 3, '', ''])
  assert.deepEqual(linesOf(DUB, draft, 'es').map(({ number, speaker, voice }) => [number, speaker, voice])[1], [2, 'A', 'p'])
})
