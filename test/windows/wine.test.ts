// The tests of Windows under wine, which needs no Windows. Wine is no Windows: locks of files, scanners, services and graphics stay untested.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWine, WINE } from '#test/support/windows/wine.ts'
import { ROOT } from '#test/support/world/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { compare, parseAllowed } from './allowed.ts'

const skip = WINE === null && 'wine64 is not installed: apt-get install wine64'

test('a failure that is not listed is a complaint, and so is a listed test that passes', () => {
  const allowed = parseAllowed('# why\na.test.ts: one\n\nwine b.test.ts: two\n', true)
  assert.deepEqual(allowed, ['a.test.ts: one', 'b.test.ts: two'])
  assert.deepEqual(parseAllowed('# why\na.test.ts: one\nwine b.test.ts: two\n', false), ['a.test.ts: one'])
  const failed = (test: string) => ({ test, error: '' })
  assert.deepEqual(compare(allowed.map(failed), allowed), [])
  const complaints = compare([failed('a.test.ts: one'), failed('c.test.ts')], allowed)
  assert.match(complaints[0]!, /is not in test\/windows\/allowed\.txt: c\.test\.ts$/)
  assert.match(complaints[1]!, /Remove it: b\.test\.ts: two$/)
  assert.equal(complaints.length, 2)
})

test('on Windows the units pass but for those that are listed, and a machine joins and does a task', {
  skip,
  timeout: 3_500_000,
}, async (t) => {
  const windows = await openWine(WINE!, temporaryFolder(t), ROOT)
  t.after(windows.close)
  const { code, output } = await windows.run(['test/windows/units.ts'])
  assert.equal(code, 0, output.slice(-20_000))
})
