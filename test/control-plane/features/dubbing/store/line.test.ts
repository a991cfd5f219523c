import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { DubLineRow, LINE_COLUMNS, lineRow, mergedLine, SentLine } from '#control-plane/features/dubbing/store/line.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const QC = { drift: 0.5, flagged: true, recognized: 'heard', measured_start_us: 1_000, measured_end_us: null, faults: ['words'] }
const FULL = dubLine({ id: 's1', startUs: 2e6, text: 'new', textOriginal: 'old', speakerId: 'Ada', profileId: 'p1', qc: QC })

test('every field of a line is stored, and comes back as it was', (t) => {
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const { dubs, segments } = createDubStore({ db })
  dubs.create({ id: 'one', filename: 'film.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
  segments.replace('one', [FULL])
  assert.deepEqual(segments.list('one'), [FULL])
  const changed = dubLine({ id: 's1', startUs: 3e6 })
  assert.notDeepEqual(changed, FULL)
  assert.equal(segments.update('one', [changed]), 1)
  assert.deepEqual(segments.list('one'), [changed])
  const columns = db.prepare<[], { name: string }>(`select name from pragma_table_info('dub_segment')`).all()
  const known = [...LINE_COLUMNS.map(({ column }) => column), 'dub_id', 'position']
  assert.deepEqual(columns.map(({ name }) => name).sort(), known.sort())
})

test('the reply describes all of a line, with a check and without one', () => {
  for (const line of [FULL, dubLine()]) assert.deepEqual(DubLineRow.strict().parse(lineRow(line)), lineRow(line))
})

test('a line that a client sends keeps what is not sent, and its check only while times and text stay', () => {
  const sent = { id: 's1', start: 2, end: 3, text: 'old', speaker_id: 'Ada' }
  assert.deepEqual(mergedLine(SentLine.parse(sent), FULL), FULL)
  const { qc, text, profileId } = mergedLine(SentLine.parse({ ...sent, end: 4 }), FULL)
  assert.deepEqual([qc, text, profileId], [null, 'old', 'p1'])
  assert.equal(mergedLine(SentLine.parse({ ...sent, profile_id: '' }), FULL).profileId, '')
  assert.deepEqual(mergedLine(SentLine.parse(sent), undefined), {
    ...dubLine({ id: 's1', startUs: 2e6, text: 'old', speakerId: 'Ada' }),
  })
})
