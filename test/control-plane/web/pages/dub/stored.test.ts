import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeDraft } from '#control-plane/web/pages/dub/draft.ts'
import { type Draft, EMPTY_DRAFT, linesOf, type StoredDub } from '#control-plane/web/pages/dub/lines.ts'
import { linesToStore } from '#control-plane/web/pages/dub/speech.ts'
import { afterRun, isSettled, withoutStored } from '#control-plane/web/pages/dub/stored.ts'
import { joinLines, splitLine, withEdit, withText, withVoice } from '#control-plane/web/pages/dub-editor/edits.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

const line = (id: string, start: number, text: string) => ({
  ...{ id, start, end: start + 2, text, text_original: text, speaker_id: 'A', profile_id: 'p' },
})
const DUB: StoredDub = {
  ...{ audio_path: '/x', input_type: 'video', duration: 10, source_lang: 'en', has_bg: false },
  segments: [line('a', 0, 'Good morning. How are you?'), line('b', 3, 'Fine.'), line('c', 6, 'Bye.')],
  ...{ dubbed_tracks: {}, segments_i18n: {}, fit_plans: {} },
}
const textOf = (dub: StoredDub, draft: Draft, id: string) => linesOf(dub, draft, 'es').find((one) => one.id === id)!.target
/** The studio after the lines of this draft were spoken. */
function spokenWith(draft: Draft): StoredDub {
  const lines = linesOf(DUB, draft, 'es')
  return {
    ...DUB,
    segments: (linesToStore(DUB, lines) ?? DUB.segments!).map((one) => ({ text_original: one.text, ...one })),
    dubbed_tracks: { es: {} },
    segments_i18n: { es: Object.fromEntries(lines.map(({ id, target }) => [id, target])) },
  }
}
function edited(): Draft {
  let draft = withText(withText(EMPTY_DRAFT, 'es', 'a', 'Buenos días.'), 'es', 'c', 'Adios.')
  draft = splitLine(draft, DUB, linesOf(DUB, draft, 'es')[0]!, { code: 'es', place: { caret: null, at: null }, newId: 'n' })
  draft = withVoice(draft, DUB, 'A', { voice: 'q', lines: linesOf(DUB, draft, 'es') })
  const [, , b, c] = linesOf(DUB, draft, 'es')
  return withEdit(joinLines(draft, DUB, b!, c!), DUB, 'b', { start: 3.5, source: 'Fine!' })
}

test('what the studio has leaves the draft, so that an old draft does not undo a later correction', () => {
  const draft = edited()
  assert.equal(isSettled(draft), false)
  assert.equal(withoutStored(draft, DUB), draft, 'nothing is stored yet')
  const dub = spokenWith(draft)
  const left = withoutStored(draft, dub)
  assert.equal(isSettled(left), true)
  assert.deepEqual(linesToStore(dub, linesOf(dub, left, 'es')), null)
  // Another device corrects the line.
  const corrected = { ...dub, segments_i18n: { es: { ...dub.segments_i18n['es'], b: 'Adiós.' } } }
  assert.deepEqual([textOf(corrected, draft, 'b'), textOf(corrected, left, 'b')], ['Adios.', 'Adiós.'])
  assert.equal(textOf(dub, withText(left, 'es', 'b', 'Hasta luego.'), 'b'), 'Hasta luego.')
  assert.equal(withoutStored(left, corrected), left)
})

test('a line that was added and joined again stays removed', () => {
  const split = splitLine(EMPTY_DRAFT, DUB, linesOf(DUB, EMPTY_DRAFT, 'es')[0]!, {
    code: 'es',
    place: { caret: null, at: null },
    newId: 'n',
  })
  const [a, n] = linesOf(DUB, split, 'es')
  const joined = joinLines(split, DUB, a!, n!)
  const idsOf = (draft: Draft) => linesOf(DUB, draft, 'es').map(({ id }) => id)
  const left = withoutStored(joined, DUB)
  assert.deepEqual([idsOf(left), left.added, left.removed], [['a', 'b', 'c'], {}, {}])
  const followed = { ...joined, added: { ...joined.added, m: { ...joined.added['n']!, after: 'n' } } }
  assert.deepEqual(idsOf(withoutStored(followed, DUB)), ['a', 'm', 'b', 'c'])
})

test('a page that was left while its lines were spoken forgets them when the run has ended well', () => {
  const draft = withText({ ...EMPTY_DRAFT, changed: { es: ['a', 'b'] } }, 'es', 'c', 'Adios.')
  const sent: Draft = { ...draft, sent: { job: 'j', code: 'es', texts: { a: '', b: '', c: 'Adios.' }, changed: ['a'] } }
  const corrected = { ...DUB, dubbed_tracks: { es: {} }, segments_i18n: { es: { c: 'Adiós.' } } }
  const done = afterRun(sent, true)
  assert.deepEqual([textOf(corrected, done, 'c'), done.changed['es'], done.sent], ['Adiós.', ['b'], null])
  assert.equal(textOf(corrected, afterRun(sent, false), 'c'), 'Adios.', 'a run that failed stored nothing')
  assert.equal(textOf(corrected, afterRun(withText(sent, 'es', 'c', 'Chao.'), true), 'c'), 'Chao.', 'changed during the run')
})

test('a line that is given to another speaker gets the voice of that speaker', () => {
  const dub = { ...DUB, segments: [line('a', 0, 'One.'), { ...line('b', 3, 'Two.'), speaker_id: 'B', profile_id: 'q' }] }
  assert.equal(linesOf(dub, withEdit(EMPTY_DRAFT, dub, 'a', { speaker: 'B' }), 'es')[0]!.voice, 'q')
})

test('drafts with work that the studio does not have are kept, however many there are', (t) => {
  class Storage {
    getItem(key: string): string | null {
      return (this as unknown as Record<string, string>)[key] ?? null
    }
    setItem(key: string, text: string): void {
      ;(this as unknown as Record<string, string>)[key] = text
    }
    removeItem(key: string): void {
      delete (this as unknown as Record<string, string>)[key]
    }
  }
  const storage = new Storage()
  replaceGlobals(t, { localStorage: storage })
  const translated = withText(EMPTY_DRAFT, 'es', 'a', 'Buenos días.')
  for (let at = 0; at < 15; at++) assert.equal(writeDraft(`open${at}`, translated), true)
  for (let at = 0; at < 15; at++) assert.equal(writeDraft(`spoken${at}`, { ...EMPTY_DRAFT, target: 'es' }), true)
  const kept = Object.keys(storage)
  assert.equal(kept.filter((key) => key.includes('open')).length, 15)
  assert.ok(kept.length < 30, 'drafts without work make room')
})
