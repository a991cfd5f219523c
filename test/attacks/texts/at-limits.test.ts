// Texts at the limit of their entrance that made one turn of the event loop last for seconds: lines without words, titles, and runs of combining
// marks, whose normalisation took the square of their length. While the studio reads one, it answers others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neighbourAt } from '#test/support/clients/neighbour.ts'
import { HARMLESS_UNIT, longestText, STUDIO_ENTRANCES, type StudioEntrance } from '#test/support/texts/studio-entrances.ts'
import { cpuSeconds } from '#test/support/world/process.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })
const entranceAt = (path: string): StudioEntrance => STUDIO_ENTRANCES.find((one) => one.path === path)!
/** By the clock, so it is compared with the whole time of the same request. A text that is read in one turn has 1. */
const MAX_SHARE = 0.4
const ROUNDS = 5

const ATTACKS: readonly (readonly [path: string, name: string, unit: string, status: number])[] = [
  ['/audiobook/plan', 'separators of paragraphs', '\u2029', 200],
  ['/audiobook/plan', 'blanks and ends of lines', ' \t\r\n', 200],
  ['/audiobook/plan', 'titles without text', '# \n', 200],
  ['/audiobook/plan', 'deeper titles', '## \n', 200],
  ['/audiobook/plan', 'titles', '# 7\r', 422],
  ['/audiobook/plan', 'marks above and below', '\u0316\u0301', 200],
  ['/tools/incremental', 'second halves of pairs', '\udfff', 200],
]

test('while a text at its limit is read, the studio answers others', async (t) => {
  const world = await open()
  const [sender, other] = [neighbourAt(t, world, '127.0.6.1'), neighbourAt(t, world, '127.0.6.2')]
  for (const [path, name, unit, status] of ATTACKS)
    await t.test(`${path}: ${name}`, async (t) => {
      const entrance = entranceAt(path)
      const { type, bytes } = entrance.body(longestText(entrance, unit))
      const shares: number[] = []
      while (shares.length < ROUNDS && !shares.some((share) => share <= MAX_SHARE)) {
        const from = performance.now()
        let isOver = false
        const sent = sender.send(entrance.method, path, bytes, { 'content-type': type }).finally(() => {
          isOver = true
        })
        let longest = 0
        while (!isOver) {
          const at = performance.now()
          assert.equal((await other.send('GET', '/health')).status, 200)
          longest = Math.max(longest, performance.now() - at)
        }
        const answer = await sent
        assert.equal(answer.status, status, answer.body.toString('utf8', 0, 300))
        const whole = performance.now() - from
        // A request that ends at once delays no other.
        shares.push(whole < 300 ? 0 : longest / whole)
        t.diagnostic(`${Math.round(whole)} ms, others waited ${Math.round(longest)} ms at most`)
      }
      assert.ok(Math.min(...shares) <= MAX_SHARE, `others waited for ${shares.map((share) => share.toFixed(2)).join(', ')} of the time`)
    })
})

test('runs of marks cost little more than words', async (t) => {
  const world = await open()
  const client = neighbourAt(t, world, '127.0.6.1')
  const entrance = entranceAt('/pronunciation/test')
  async function secondsOf(unit: string): Promise<number> {
    const { type, bytes } = entrance.body(longestText(entrance, unit))
    const before = cpuSeconds(world.studio.pid)
    assert.equal((await client.send(entrance.method, entrance.path, bytes, { 'content-type': type })).status, 200)
    return cpuSeconds(world.studio.pid) - before
  }
  await secondsOf(HARMLESS_UNIT)
  const harmless = await secondsOf(HARMLESS_UNIT)
  for (const unit of ['\u0316\u0301', '\u05b0\u05b1\u0327', '\u0345\u0316']) {
    const seconds = await secondsOf(unit)
    t.diagnostic(`${seconds} s of processor time, ${harmless} s for words`)
    assert.ok(seconds <= Math.max(1, 10 * harmless), `${JSON.stringify(unit)}: ${seconds} s`)
  }
})
