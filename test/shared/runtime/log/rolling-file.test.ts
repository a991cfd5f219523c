import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRollingFile } from '#shared/runtime/log/rolling-file.ts'
import { textLinesOf } from '#shared/runtime/log/text-line.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const DAY_MS = 24 * 3600 * 1000

test('the file rolls by size and age, keeps three old parts, and is private', (t) => {
  const folder = join(temporaryFolder(t), 'logs')
  const path = join(folder, 'studio.log')
  const clock = { ...createFakeClock(), now: () => Date.now() } // the ages of files are real
  const file = createRollingFile({ path, clock, maxBytes: 100 })
  for (let line = 0; line < 60; line++) file.write(`line number ${String(line).padStart(3, '0')}\n`)
  assert.deepEqual(readdirSync(folder).sort(), ['studio.log', 'studio.log.1', 'studio.log.2', 'studio.log.3'])
  for (const name of readdirSync(folder)) {
    const { size, mode } = statSync(join(folder, name))
    assert.ok(size > 0 && size <= 100)
    assert.equal(mode & 0o077, 0)
  }
  const all = [...file.older().reverse(), path].map((part) => readFileSync(part, 'utf8')).join('')
  assert.ok(all.endsWith('line number 058\nline number 059\n'))
  assert.equal(
    all.split('\n').length - 1,
    Number(/(\d+)\n$/.exec(all)![1]) - Number(/^line number (\d+)/.exec(all)![1]) + 1,
    'no line is lost',
  )

  utimesSync(`${path}.2`, 0, (Date.now() - 40 * DAY_MS) / 1000)
  const later = createRollingFile({ path, clock: { ...clock, now: () => Date.now() + 8 * DAY_MS }, maxBytes: 10_000 })
  later.write('a week later\n')
  assert.equal(readFileSync(path, 'utf8'), 'a week later\n')
  assert.ok(!existsSync(`${path}.2`) || readFileSync(`${path}.2`, 'utf8').includes('line number 0'))
  later.clear()
  assert.deepEqual([later.older(), readFileSync(path, 'utf8')], [[], ''])
  later.write('after\n')
  assert.equal(readFileSync(path, 'utf8'), 'after\n')
  file.close()
  later.close()
})

test('a clock that is set back does not end the rotation by age', (t) => {
  const path = join(temporaryFolder(t), 'studio.log')
  const clock = createFakeClock()
  const file = createRollingFile({ path, clock: { ...clock, now: () => Date.now() - 400 * DAY_MS } })
  file.write('one\n')
  file.write('two\n')
  assert.equal(readFileSync(`${path}.1`, 'utf8'), 'one\n', 'a part from the future is closed')
  file.close()
  const real = createRollingFile({ path, clock: { ...clock, now: () => Date.now() } })
  real.write('three\n')
  clock.advance(8 * DAY_MS)
  real.write('four\n')
  assert.deepEqual([readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')], ['four\n', 'two\nthree\n'])
  real.close()
})

test('a file that was moved or deleted is created again, and an unwritable one costs lines only', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.log')
  const clock = { ...createFakeClock(), now: () => Date.now() } // the ages of files are real
  const file = createRollingFile({ path, clock })
  file.write('one\n')
  renameSync(path, join(folder, 'moved'))
  clock.advance(3_000)
  file.write('two\n')
  assert.equal(readFileSync(path, 'utf8'), 'two\n')
  rmSync(path)
  mkdirSync(path)
  clock.advance(3_000)
  for (let line = 0; line < 5; line++) file.write('lost\n')
  assert.equal(file.problem(), 'EISDIR')
  rmSync(path, { recursive: true })
  clock.advance(3_000)
  assert.equal(file.problem(), null)
  file.write('three\n')
  assert.match(readFileSync(path, 'utf8'), /^\S+ WARN {2}5 lines could not be written: EISDIR\nthree\n$/)
  file.close()
  const nowhere = createRollingFile({ path: join(path, 'below', 'x.log'), clock })
  nowhere.write('never throws\n')
  assert.notEqual(nowhere.problem(), null)
})

test('a line of the logger becomes one line of text, for any content of its fields', () => {
  const json = {
    level: 40,
    time: '2026-11-22T13:00:00.000Z',
    program: 'studio',
    pid: 7,
    id: 'a\nb',
    count: 3,
    msg: 'a\u001b[31m \u2028warning',
  }
  assert.equal(
    textLinesOf(`${JSON.stringify(json)}\nnot JSON\n`),
    '2026-11-22T13:00:00.000Z WARN  studio a [31m  warning id="a\\nb" count=3\nnot JSON\n',
  )
  assert.ok(textLinesOf(JSON.stringify({ ...json, msg: 'x'.repeat(100_000) })).length <= 16 * 1024 + 1)
})
