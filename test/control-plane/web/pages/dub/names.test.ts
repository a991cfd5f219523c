import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_DRAFT, linesOf, type StoredDub } from '#control-plane/web/pages/dub/lines.ts'
import { castOf, namesIn, orderOf, speakerNamed, withNames, withoutName, withSpeaker } from '#control-plane/web/pages/dub-panel/names.ts'

const found = (texts: readonly string[], kept: readonly string[] = []) =>
  namesIn(
    texts.map((source) => ({ source })),
    kept,
  ).map(({ name }) => name)

const dubOf = (texts: readonly string[], more: Partial<StoredDub> = {}): StoredDub => ({
  ...{ audio_path: '/x', input_type: 'video', duration: 60, source_lang: 'en', has_bg: false },
  segments: texts.map((text, at) => ({ id: `l${at}`, start: at * 3, end: at * 3 + 2, text, text_original: text, speaker_id: 'Speaker 1' })),
  ...{ dubbed_tracks: {}, segments_i18n: {}, fit_plans: {} },
  ...more,
})

test('names that lines begin with are found in any script, and sentences with a colon are not', () => {
  const table: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['MARA: Go.', 'COLE: Where?'],
      ['MARA', 'COLE'],
    ],
    [['Mara: Go.', 'Cole: Where?', 'Mara: Home.'], ['Mara']],
    [['Note: keep it dry.', 'It is a lamp.'], []],
    [['- DR. O’NEIL: Sit.'], ['DR. O’NEIL']],
    [
      ['МАРА: Иди.', 'Коля: Куда?', 'Коля: Нет.'],
      ['МАРА', 'Коля'],
    ],
    [['Μάρα: Έλα.', 'Μάρα: Ναι.'], ['Μάρα']],
    [['田中：行きましょう。', '田中：はい。', '注意：足元。'], ['田中']],
    [['سارة: تعال.', 'سارة: الآن.', 'ملاحظة: انتبه.'], ['سارة']],
    [['मारा: चलो।', 'मारा: अब।'], ['मारा']],
    [['The time is 10:30.', 'At 10:30: now.'], []],
    [['A: One.', 'B: Two.'], []],
    [['A: One.', 'A: Two.'], ['A']],
    [['MARA:', 'MARA: '], []],
    [['http://example.org', 'http://example.org'], []],
    [['I said this to him once more: no.', 'I said this to him once more: yes.'], []],
  ]
  for (const [texts, names] of table) assert.deepEqual(found(texts), names, texts.join(' | '))
  assert.deepEqual(found(['MARA: Go.', 'COLE: Where?'], ['COLE']), ['MARA'])
  assert.equal(withoutName('MARA: Go: now.', 'MARA'), 'Go: now.')
  assert.equal(withoutName('MARA: Go.', 'COLE'), 'MARA: Go.')
})

test('names become speakers, in the lines and in their translations, and undo is a state of the draft', () => {
  const dub = dubOf(['MARA: Go.', 'Away.', 'COLE: Where?'], { segments_i18n: { es: { l0: 'MARA: Ve.', l2: '¿Dónde?' } } })
  const lines = linesOf(dub, EMPTY_DRAFT, 'es')
  const next = linesOf(dub, withNames(EMPTY_DRAFT, dub, lines, ['MARA', 'COLE']), 'es')
  assert.deepEqual(
    next.map(({ speaker, source, target }) => [speaker, source, target]),
    [
      ['MARA', 'Go.', 'Ve.'],
      ['Speaker 1', 'Away.', ''],
      ['COLE', 'Where?', '¿Dónde?'],
    ],
  )
})

test('a speaker keeps its place, and with it its colour, also when another one speaks first', () => {
  const dub = dubOf(['One.', 'Two.'])
  const lines = linesOf(dub, EMPTY_DRAFT, 'es')
  const draft = withSpeaker({ ...EMPTY_DRAFT, met: [...orderOf([], lines)] }, ' Cole ')
  assert.deepEqual(castOf(draft, lines), ['Speaker 1', 'Cole'])
  const given = linesOf(dub, { ...draft, edits: { l0: { speaker: 'Cole' } } }, 'es')
  assert.deepEqual(orderOf(['Speaker 1', 'Cole'], given), ['Speaker 1', 'Cole'])
  const all = linesOf(dub, { ...draft, edits: { l0: { speaker: 'Cole' }, l1: { speaker: 'Cole' } } }, 'es')
  assert.deepEqual(castOf(draft, all), ['Cole'])
  assert.equal(
    speakerNamed(['Speaker 1', 'Cole'], (one) => one, 'COLE'),
    'Cole',
  )
  assert.equal(
    speakerNamed(['Speaker 1'], (one) => one, 'Cole'),
    null,
  )
})
