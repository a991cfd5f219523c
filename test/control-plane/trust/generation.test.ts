import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRenewal, nextGeneration } from '#control-plane/trust/generation.ts'

const known = { generation: 5, renewalNonce: 'last', resync: false }

test('only the machine with the newest certificate is accepted', () => {
  const judge = (generation: number, nonce: string) => judgeRenewal(known, { generation, nonce })
  assert.equal(judge(5, 'new'), 'next')
  assert.equal(judge(5, ''), 'next')
  assert.equal(judge(6, 'new'), 'next')
  assert.equal(judge(4, 'last'), 'again')
  assert.equal(judge(4, 'new'), 'copy')
  assert.equal(judge(4, ''), 'copy')
  assert.equal(judge(3, 'last'), 'copy')
  assert.equal(judgeRenewal({ ...known, renewalNonce: '' }, { generation: 4, nonce: '' }), 'copy')
})

test('after a release the first machine to renew is accepted, and the count continues', () => {
  const released = { ...known, resync: true }
  for (const generation of [0, 4, 5, 9]) assert.equal(judgeRenewal(released, { generation, nonce: 'x' }), 'next')
  assert.equal(nextGeneration(released, { generation: 0, nonce: '' }), 6)
  assert.equal(nextGeneration(known, { generation: 9, nonce: '' }), 10)
})

// Two disks with one key, each renewing when it likes and losing an answer now and then: in any order, as soon as both have renewed
// twice, one of them was found out; a single machine never is.
test('every order of renewals finds the copy, and never one that is alone', () => {
  type Disk = { generation: number; nonce: string }
  let serial = 0
  const renew = (studio: { generation: number; renewalNonce: string; resync: boolean }, disk: Disk, isLost: boolean): boolean => {
    disk.nonce ||= `n${++serial}`
    const verdict = judgeRenewal(studio, disk)
    if (verdict === 'copy') return false
    if (verdict === 'next') Object.assign(studio, { generation: nextGeneration(studio, disk), renewalNonce: disk.nonce, resync: false })
    if (!isLost) Object.assign(disk, { generation: studio.generation, nonce: '' })
    return true
  }
  for (let order = 0; order < 4 ** 6; order++) {
    const steps = Array.from({ length: 6 }, (_, at) => (order >> (2 * at)) & 3)
    const studio = { generation: 3, renewalNonce: '', resync: false }
    const alone = { generation: 3, nonce: '' }
    for (const step of steps) assert.ok(renew(studio, alone, step >= 2))

    const pair = { generation: 7, renewalNonce: '', resync: false }
    const disks: Disk[] = [
      { generation: 7, nonce: 'begun' },
      { generation: 7, nonce: 'begun' },
    ]
    const found = steps.some((step) => !renew(pair, disks[step & 1]!, false))
    const turns = [0, 1].map((disk) => steps.filter((step) => (step & 1) === disk).length)
    if (Math.min(...turns) >= 2) assert.ok(found, steps.join())
    if (Math.min(...turns) === 0) assert.ok(!found, steps.join())
  }
})
