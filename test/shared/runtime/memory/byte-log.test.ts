import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createByteLog, createMemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('a byte log stays in memory while small and moves to a private file beyond the budget', (t) => {
  const path = join(temporaryFolder(t), 'log')
  const log = createByteLog({ path, budget: createMemoryBudget(8) })
  log.append(Buffer.from('12345678'))
  assert.deepEqual([log.file, existsSync(path)], [null, false])
  log.append(Buffer.from('9'))
  assert.deepEqual([log.file, log.size, readFileSync(path, 'utf8')], [path, 9, '123456789'])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  log.close()
  assert.equal(existsSync(path), false)
})

test('a file that was taken over is kept', (t) => {
  const path = join(temporaryFolder(t), 'log')
  const log = createByteLog({ path, budget: createMemoryBudget(0) })
  log.append(Buffer.from('kept'))
  log.close(true)
  log.close(true)
  assert.equal(readFileSync(path, 'utf8'), 'kept')
})

test('reads at and beyond the end are empty', (t) => {
  const log = createByteLog({ path: join(temporaryFolder(t), 'log'), budget: createMemoryBudget(100) })
  assert.equal(log.read(0, 10).length, 0)
  log.append(Buffer.alloc(0))
  log.append(Buffer.from('ab'))
  assert.deepEqual([log.read(2, 10).length, log.read(5, 10).length, log.read(0, 0).length], [0, 0, 0])
})

test('any sequence of appends, reads and cuts matches a plain buffer', (t) => {
  const folder = temporaryFolder(t)
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ append: fc.uint8Array({ maxLength: 12 }) }) },
    { weight: 3, arbitrary: fc.record({ read: fc.nat(60), max: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ truncate: fc.nat(60) }) },
  )
  let number = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(40), (steps, memoryBytes) => {
      const budget = createMemoryBudget(memoryBytes)
      const log = createByteLog({ path: join(folder, String(number++)), budget })
      let model = Buffer.alloc(0)
      for (const at of steps) {
        if ('append' in at) {
          log.append(Buffer.from(at.append))
          model = Buffer.concat([model, at.append])
        } else if ('truncate' in at) {
          log.truncate(at.truncate)
          model = model.subarray(0, at.truncate)
        } else {
          const piece = log.read(at.read, at.max)
          assert.deepEqual(piece, Buffer.from(model.subarray(at.read, at.read + piece.length)))
          assert.equal(piece.length > 0, at.max > 0 && at.read < model.length, 'at least one byte while there is one')
        }
        assert.equal(log.size, model.length)
      }
      const whole: Buffer[] = []
      for (let at = 0; at < log.size; at += whole.at(-1)!.length) whole.push(Buffer.from(log.read(at, log.size)))
      assert.deepEqual(Buffer.concat(whole), Buffer.from(model))
      log.close()
      assert.equal(budget.used(), 0, 'what it took from the budget is given back')
    }),
    { numRuns: 300, seed: 11 },
  )
})

test('old bytes are read from the file, also after a cut', (t) => {
  const log = createByteLog({ path: join(temporaryFolder(t), 'log'), budget: createMemoryBudget(0) })
  const block = (index: number) => Buffer.alloc(MIB, Buffer.from(Array.from({ length: 251 }, (_, at) => (at + index) % 251)))
  let model = Buffer.alloc(0)
  const add = (from: number, count: number) => {
    for (let index = from; index < from + count; index++) {
      log.append(block(index))
      model = Buffer.concat([model, block(index)])
    }
  }
  const compare = () => {
    const whole: Buffer[] = []
    for (let at = 0; at < log.size; at += whole.at(-1)!.length) whole.push(log.read(at, 300_000))
    assert.ok(Buffer.concat(whole).equals(model))
  }
  add(0, 12)
  compare()
  for (const offset of [11.5 * MIB, 7.25 * MIB, 2 * MIB + 1]) {
    log.truncate(offset)
    model = model.subarray(0, offset)
    compare()
    add(20, 1)
    compare()
  }
  log.close()
})
