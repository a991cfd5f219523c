import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shownRange } from '#control-plane/web/look/windowed.ts'
import {
  createLineReader,
  EMPTY_DRAFT,
  filtered,
  linesOf,
  moment,
  needsReview,
  roomOf,
  speakersOf,
} from '#control-plane/web/pages/dub/lines.ts'
import { speechFor, speechRequest } from '#control-plane/web/pages/dub/speech.ts'
import { withTranslations } from '#control-plane/web/pages/dub/translate.ts'
import { reportOf } from '#control-plane/web/pages/dub/work.ts'
import { FIT_DEFAULTS } from '#shared/timing/fit.ts'
import { slotsOf } from '#shared/timing/slots.ts'

const stored = (id: string | number, start: number, text: string, more = {}) => ({
  ...{ id, start, end: start + 2, text, text_original: text, speaker_id: 'A' },
  ...more,
})
const DUB = {
  ...{
    audio_path: '/x',
    input_type: 'video',
    duration: 10,
    source_lang: 'en',
    has_bg: false,
    segments: [stored('a', 0, 'One.'), stored(7, 3, 'Two.', { speaker_id: 'B' })],
  },
  ...{ dubbed_tracks: {}, segments_i18n: {}, fit_plans: {} },
}
const fitted = (id: string, naturalUs: number, more = {}) => ({ id, naturalUs, roomUs: 2e6, cutUs: 0, pastUs: 0, silence: null, ...more })
const SPOKEN = {
  ...DUB,
  dubbed_tracks: { es: {} },
  segments_i18n: { es: { a: 'Uno.', 7: 'Dos.' } },
  fit_plans: { es: { lines: [fitted('a', 1e6), fitted('7', 3e6)] } },
}
const draft = (more: Partial<typeof EMPTY_DRAFT>) => ({ ...EMPTY_DRAFT, ...more })

test('a line goes from untranslated to spoken, and a change of text, voice or time makes it changed', () => {
  const states = (dub: typeof DUB, more = {}) => linesOf(dub, draft(more), 'es').map(({ state }) => state)
  assert.deepEqual(states(DUB), ['untranslated', 'untranslated'])
  assert.deepEqual(states(DUB, { texts: { es: { a: 'Uno.' } } }), ['ready', 'untranslated'])
  assert.deepEqual(states(SPOKEN), ['spoken', 'spoken'])
  assert.deepEqual(states(SPOKEN, { texts: { es: { 7: 'Otro.' } } }), ['spoken', 'changed'])
  assert.deepEqual(states(SPOKEN, { changed: { es: ['a'] } }), ['changed', 'spoken'])
  const silent = { ...SPOKEN, fit_plans: { es: { lines: [fitted('a', 0, { silence: 'no-take' })] } } }
  assert.deepEqual(states(silent), ['failed', 'spoken'])
  assert.deepEqual(
    linesOf(SPOKEN, EMPTY_DRAFT, 'fr').map(({ target }) => target),
    ['', ''],
    'each language has its own texts',
  )
  assert.deepEqual(
    linesOf(SPOKEN, EMPTY_DRAFT, 'constructor').map(({ target }) => target),
    ['', ''],
  )
})

test('lines that are read again after any changes are those of the new draft, and the same objects where nothing changed', () => {
  const id = fc.constantFrom('a', '7', 'added')
  const text = fc.constantFrom('', 'Uno.', 'Dos y tres.')
  const by = <T>(value: fc.Arbitrary<T>) => fc.dictionary(id, value, { maxKeys: 3 })
  const language = fc.constantFrom('es', 'fr')
  const languages = <T>(value: fc.Arbitrary<T>) => fc.dictionary(language, value, { minKeys: 1, maxKeys: 2 })
  const estimate = fc.record({ ratio: fc.constantFrom(0.5, 1.5), room: fc.constant(2), chars: fc.constant(4), shorter: text })
  const edit = fc.record({ start: fc.constantFrom(0, 2.5, 4), end: fc.constantFrom(3, 5), source: text }, { requiredKeys: [] })
  const addition = { x: { after: 'a', source: 'New.', speaker: 'A', voice: '', start: 2, end: 3 } }
  const one = fc.oneof(
    fc.record({ texts: languages(by(text)) }),
    fc.record({ more: by(edit) }),
    fc.record({ errors: languages(by(text)) }),
    fc.record({ estimates: languages(by(estimate)) }),
    fc.record({ removed: by(fc.constant(true as const)) }),
    fc.record({ voices: fc.dictionary(fc.constantFrom('A', 'B'), text) }),
    fc.record({ changed: languages(fc.array(id, { maxLength: 2 })) }),
    fc.record({ added: fc.constantFrom({}, addition) }),
  )
  // It was given the time up to the next line, which a change of that line takes away.
  const roomy = { ...SPOKEN, fit_plans: { es: { lines: [fitted('a', 1e6, { roomUs: 4e6 }), fitted('7', 3e6)] } } }
  // Most changes are made while the same language of the same dub is shown.
  const seldom = <T>(usual: T, other: T) =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) })
  const change = fc.record({ one, language: seldom('es', 'fr'), dub: seldom(roomy, DUB) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 2, maxLength: 12 }), (changes) => {
      const read = createLineReader()
      let now: typeof EMPTY_DRAFT = EMPTY_DRAFT
      for (const { one, language, dub } of changes) {
        now = 'more' in one ? { ...now, edits: { ...now.edits, ...one.more } } : { ...now, ...one }
        assert.deepEqual(read(dub, now, language), linesOf(dub, now, language))
      }
    }),
  )
  const read = createLineReader()
  const before = read(SPOKEN, draft({ texts: { es: { a: 'Uno.' } } }), 'es')
  const after = read(SPOKEN, draft({ texts: { es: { a: 'Un.' } } }), 'es')
  assert.deepEqual([after[0] === before[0], after[1] === before[1]], [false, true])
})

test('the fit is measured for what was spoken, and estimated by length for other texts', () => {
  const [one, two] = linesOf(SPOKEN, draft({ texts: { es: { a: 'Uno. Uno' } } }), 'es')
  assert.deepEqual(
    [one!.fit, two!.fit],
    [
      { share: 2 / 2.95, seconds: 2, room: 2.95, isMeasured: false },
      { share: 3 / 7, seconds: 3, room: 7, isMeasured: true },
    ],
  )
  const edited = linesOf(SPOKEN, draft({ edits: { 7: { start: 2.5 } }, texts: { es: { a: 'Uno y dos y tres.' } } }), 'es')
  assert.deepEqual(
    edited.map((line) => needsReview(line)),
    [true, false],
  )
  const plan = { status: 'tight' as const, est_dur_s: 3, available_s: 2, est_overrun_s: 1, calibrated: false, suggested_text: 'Un.' }
  const lines = linesOf(DUB, EMPTY_DRAFT, 'es')
  const next = withTranslations(
    draft({ errors: { es: { a: 'old' } } }),
    'es',
    [
      { id: 'a', text: 'Uno.', plan },
      { id: '7', text: 'Two.', error: 'No.' },
    ],
    lines,
  )
  const [first, second] = linesOf(DUB, next, 'es')
  const { seconds, share } = first!.fit!
  assert.deepEqual([seconds, share, first!.shorter, first!.error, second!.error], [3, 3 / 2.95, 'Un.', '', 'No.'])
  // Of the same length when it is spoken, it has the same share.
  const done = { ...SPOKEN, fit_plans: { es: { lines: [fitted('a', 3e6, { roomUs: 2.95e6 })] } } }
  assert.equal(linesOf(done, EMPTY_DRAFT, 'es')[0]!.fit!.share, share)
})

test('the room of a line is that of the studio, for lines in any order of speakers', () => {
  const moment = fc.integer({ min: 0, max: 3_000 })
  const line = fc.record({ start: moment, length: fc.integer({ min: 20, max: 600 }), speaker: fc.constantFrom('A', 'B', 'C') })
  fc.assert(
    fc.property(fc.uniqueArray(line, { selector: ({ start }) => start, maxLength: 12 }), (drawn) => {
      const lines = drawn
        .toSorted((one, other) => one.start - other.start)
        .map(({ start, length, speaker }) => ({ start: start / 100, end: (start + length) / 100, speaker }))
      const slots = slotsOf(
        lines.map(({ start, end, speaker }, at) => ({
          ...{
            id: String(at).padStart(2, '0'),
            startUs: Math.round(start * 1e6),
            endUs: Math.round(end * 1e6),
            lane: speaker,
            naturalUs: 1e6,
          },
        })),
        { mediaUs: 40e6, gapGuardUs: FIT_DEFAULTS.gapGuardUs },
      )
      for (const [at, one] of lines.entries()) {
        const room = roomOf(one, lines.slice(at + 1), 40)
        // The page has no shorter room than a line may have.
        assert.ok(Math.abs(room - Math.max(0.1, slots[at]!.roomUs / 1e6)) < 1e-3, JSON.stringify({ one, room, slot: slots[at] }))
      }
    }),
  )
})

test('a translation leaves alone what was typed since it was asked for', () => {
  const asked = linesOf(DUB, EMPTY_DRAFT, 'es')
  const rows = ['a', '7'].map((id) => ({ id, text: 'By the machine.' }))
  const typed = draft({ texts: { es: { a: 'By hand.' } } })
  const texts = (next: typeof EMPTY_DRAFT) => linesOf(DUB, next, 'es').map(({ target }) => target)
  assert.deepEqual(texts(withTranslations(typed, 'es', rows, asked)), ['By hand.', 'By the machine.'])
  assert.deepEqual(texts(withTranslations(typed, 'es', rows, linesOf(DUB, typed, 'es'))), ['By the machine.', 'By the machine.'])
})

test('lines are filtered, and a request has what a person changed', () => {
  const late = { ...SPOKEN, duration: 5, fit_plans: { es: { lines: [fitted('a', 2.1e6), fitted('7', 3e6)] } } }
  const lines = linesOf(
    late,
    draft({ voices: { B: 'p1' }, edits: { a: { source: 'First.', start: 0.5 } }, texts: { es: { a: 'Primero.' } } }),
    'es',
  )
  assert.deepEqual(speakersOf(lines), ['A', 'B'])
  const found = (find: string, speaker = '', onlyReview = false) => filtered(lines, { find, speaker, onlyReview }).map(({ id }) => id)
  assert.deepEqual([found('first'), found('DOS'), found('', 'B'), found('', '', true)], [['a'], ['7'], ['7'], ['a', '7']])
  const body = speechRequest(lines, { code: 'es', name: 'Spanish', strategy: 'concise', again: ['a'] })
  assert.deepEqual(body.segments[0], { id: 'a', start: 0.5, end: 2, text: 'Primero.', speaker_id: 'A', profile_id: '' })
  assert.deepEqual([body.segments[1]!.profile_id, body.regen_only], ['p1', ['a']])
})

test('a press on one line says how many are spoken, and none while a line has no text', () => {
  const press = (dub: typeof DUB, texts: Record<string, string>, at: number) => {
    const lines = linesOf(dub, draft({ texts: { es: texts } }), 'es')
    return speechFor(lines, lines[at]!, 'es' in dub.dubbed_tracks)
  }
  assert.deepEqual(press(DUB, { a: 'Uno.' }, 0), { count: 2, missing: 1, again: null })
  assert.deepEqual(press(DUB, { a: 'Uno.', 7: 'Dos.' }, 0), { count: 2, missing: 0, again: null })
  assert.deepEqual(press(SPOKEN, {}, 0), { count: 1, missing: 0, again: ['a'] })
  assert.deepEqual(press(SPOKEN, { a: 'Otro.' }, 0), { count: 1, missing: 0, again: null })
  assert.deepEqual(press(SPOKEN, { a: 'Otro.' }, 1), { count: 2, missing: 0, again: ['7'] })
})

test('times, the rows in view, and what a job reports', () => {
  assert.deepEqual(
    [0, 59.96, 173.84, 3723.4].map((seconds) => moment(seconds)),
    ['0:00.0', '1:00.0', '2:53.8', '1:02:03.4'],
  )
  assert.deepEqual(shownRange({ top: 0, height: 580, row: 58, count: 2000 }), { first: 0, last: 14 })
  assert.deepEqual(shownRange({ top: 58_000, height: 580, row: 58, count: 2000 }), { first: 996, last: 1014 })
  assert.deepEqual(shownRange({ top: 9e9, height: 580, row: 58, count: 5 }), { first: 1, last: 5 })
  const needs = { for: 'speakers', models: [{ repo_id: 'o/n', label: 'Speakers', size_bytes: 1 }] }
  const events = [
    { type: 'warning', message: 'Careful.' },
    { type: 'error', segment: 3, error: 'No voice.' },
    { type: 'routing_notice', status: 'notice', reason: 'Careful.' },
    { type: 'routing_notice', status: 'waiting', reason: 'No machine.' },
    // The page has its own words for a missing model.
    { type: 'warning', detail: 'Install it with a command.', needs },
  ]
  assert.deepEqual(reportOf(events.map((one) => ({ payload: `data: ${JSON.stringify(one)}` }))), {
    remarks: ['Careful.'],
    failed: [{ line: 3, why: 'No voice.' }],
    needs: [needs],
    translated: [],
  })
})
