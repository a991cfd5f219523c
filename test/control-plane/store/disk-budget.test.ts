// The disk that uploads may use together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { GIB, MIB } from '#shared/runtime/memory/bytes.ts'

test('the shares of a client are limited together, and what is released can be taken again', async () => {
  const budget = createDiskBudget({ folder: '/', bytesPerClient: 100, spaceOf: async () => ({ free: GIB, size: GIB }) })
  const [one, two] = [budget.open(), budget.open()]
  await one.take(60)
  await two.take(40)
  await assert.rejects(two.take(1), { code: 'QUEUE_FULL' })
  one.release()
  one.release()
  await two.take(60)
  await assert.rejects(one.take(1), { code: 'QUEUE_FULL' })
})

test('a part of the disk stays free: 5 percent, at most 1 GiB', async () => {
  let free = 0
  const budgetOn = (size: number) => createDiskBudget({ folder: '/', spaceOf: async () => ({ free, size }) })
  const small = budgetOn(100 * MIB).open()
  free = 6 * MIB
  await small.take(MIB)
  free = 5 * MIB
  await assert.rejects(small.take(1), { code: 'STORAGE_FULL' })
  free = 8 * MIB
  await small.take(3 * MIB)
  const large = budgetOn(1_000 * GIB).open()
  free = GIB + MIB
  await large.take(MIB)
  free = 2 * GIB
  await large.take(100 * MIB) // more than is taken between two reads
  free = GIB
  await assert.rejects(large.take(1), { code: 'STORAGE_FULL' })
})

test('the free space is read again after 16 MiB, once for all callers', async () => {
  let reads = 0
  const spaceOf = async () => {
    reads++
    return { free: GIB, size: GIB }
  }
  const budget = createDiskBudget({ folder: '/', spaceOf })
  const shares = Array.from({ length: 8 }, () => budget.open())
  await Promise.all(shares.map((share) => share.take(MIB)))
  assert.equal(reads, 1)
  for (const share of shares) await share.take(MIB)
  assert.equal(reads, 1)
  await shares[0]!.take(MIB)
  assert.equal(reads, 2)
})
