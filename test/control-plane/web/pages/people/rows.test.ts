// The list of people and keys: who is in a tab, the use of the month, and names as two letters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '#control-plane/web/lib/api-types.ts'
import { endOf, enginesOf, initialsOf, isIn, rowsOf, spentBy, useOf } from '#control-plane/web/pages/people/rows.ts'

const limits = { sound_minutes_a_day: null, gpu_minutes_a_month: null, tasks_at_once: null, disk_bytes: null }
const key = (expires_at: number | null, expired = false) => ({
  ...{ id: 'k', label: '', begins: 'svk_aaaa', created_at: 0, last_used_at: null },
  ...{ expires_at, expired },
})
const person = (id: string, more: Partial<Person> = {}): Person => ({
  ...{ id, name: id, kind: 'person', role: 'create', limits, machines: null, sign_in: null, created_at: 0 },
  ...{ ended_at: null, last_used_at: null, keys: [] },
  ...more,
})
const used = (person_id: string, engine: string, gpu_ms: number, sound_ms = 1000) => ({
  ...{ person_id, name: '', day: '2026-11-01', tasks: 1, failed: 0 },
  ...{ engine, gpu_ms, sound_ms },
})

test('the own row is the first, and those that have ended are in their tab only', () => {
  const people = [person('a'), person('b', { kind: 'program' }), person('c', { ended_at: 5 })]
  const idsIn = (tab: Parameters<typeof isIn>[0], me: Parameters<typeof rowsOf>[1]) =>
    rowsOf(people, me).flatMap((row) => (isIn(tab, row) ? [row.person?.id ?? 'owner'] : []))
  assert.deepEqual(idsIn('all', { name: null, role: 'own' }), ['owner', 'a', 'b'])
  assert.deepEqual(idsIn('person', { name: null, role: 'own' }), ['owner', 'a'])
  assert.deepEqual(idsIn('all', { name: 'b', role: 'own', id: 'b' }), ['b', 'a'])
  assert.deepEqual(idsIn('program', null), ['b'])
  assert.deepEqual(idsIn('ended', { name: null, role: 'own' }), ['c'])
})

test('the use of a month is compared with its limit, and nine tenths of it are nearly all', () => {
  const usage = [used('a', 'x', 18 * 3_600_000), used('a', 'y', 0), used('a', 'x', 20 * 60_000), used('b', 'x', 1)]
  const spent = spentBy(usage, 'a')
  assert.deepEqual(useOf(spent, 2400), { text: '18 h 20 min of 40 h', share: 1100 / 2400, isNearly: false })
  assert.deepEqual(useOf(spent, 1200), { text: '18 h 20 min of 20 h', share: 1100 / 1200, isNearly: true })
  assert.deepEqual(useOf(spent, 60), { text: '18 h 20 min of 1 h', share: 1, isNearly: true })
  assert.equal(useOf(spent, 0).share, 1)
  assert.equal(useOf(spent, null).text, '18 h 20 min, no limit')
  assert.equal(useOf(spentBy(usage, 'c'), null).text, '—')
  assert.equal(useOf(spentBy(usage, 'c'), 300).text, '0 h of 5 h')
  assert.deepEqual(
    enginesOf(usage, 'a').map(({ engine, tasks }) => [engine, tasks]),
    [
      ['x', 2],
      ['y', 1],
    ],
  )
})

test('the key that works longest decides the end', () => {
  assert.equal(endOf(person('a')), undefined)
  assert.equal(endOf(person('a', { keys: [key(9, true)] })), undefined)
  assert.equal(endOf(person('a', { keys: [key(9), key(12), key(20, true)] })), 12)
  assert.equal(endOf(person('a', { keys: [key(9), key(null)] })), null)
})

test('two letters stand for a name', () => {
  assert.deepEqual(
    ['Reading room', 'Jun', 'x', '𝒜da Byron King', '東京'].map((name) => initialsOf(name)),
    ['RR', 'JU', 'X', '𝒜B', '東京'],
  )
})
