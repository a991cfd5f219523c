// The figures of takes, added up from parts of a real table.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTotals } from '#control-plane/features/base/library/usage/usage.rules.ts'
import { createUsage } from '#control-plane/features/base/library/usage/usage.service.ts'
import { createUsageStore } from '#control-plane/features/base/library/usage/usage.store.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const count = (n: number) => ({ count: () => n })

test('figures of 25,000 takes come from several parts, which leave the event loop free', async (t) => {
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  // Every 100th sequence number, as after many removals: one take an hour, from midnight UTC.
  db.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 24999)
    insert into generation_history (id, seq, text, mode, language, instruct, profile_id, audio_path, duration_seconds, generation_time, seed, starred, created_at)
    select 't' || i, i * 100 + 1, '', case i % 5 when 0 then '' when 1 then ' ' else 'clone' end, 'l' || (i % 20), '', '', 'a', 1.5, 0.25, 0, i % 10 = 0, i * 3600
    from n`)
  let turns = 0
  const turning = setInterval(() => turns++)
  t.after(() => clearInterval(turning))
  const usage = createUsage({
    takes: createUsageStore({ db }),
    projects: count(2),
    exports: count(3),
    counts: { voices: () => 5, dubs: () => 4 },
    clock,
  })
  const [figures, again] = await Promise.all([usage.read(), usage.read()])
  assert.equal(figures, again, 'requests at the same time share the computation')
  assert.ok(turns >= 2, `${turns} turns of the event loop`)
  const { by_language, generated_at: _, active_days, ...rest } = figures
  assert.deepEqual(rest, {
    ...{ takes: 25_000, starred: 2_500, audio_seconds: 37_500, compute_seconds: 6_250, first_at: 0, last_at: 24_999 * 3600 },
    by_mode: [
      { name: 'clone', count: 15_000 },
      { name: 'unknown', count: 10_000 },
    ],
    ...{ voices: 5, dubs: 4, projects: 2, exports: 3, local_only: true },
  })
  assert.deepEqual([by_language.length, by_language[0]], [12, { name: 'l0', count: 1250 }])
  assert.ok(active_days === 1042 || active_days === 1043, `${active_days} days, which depend on the time zone`)
})

test('days are counted in local time', () => {
  const group = { mode: 'a', language: 'b', takes: 1, starred: 0, audio_seconds: 0.014, compute_seconds: 0, first_at: 5, last_at: 5 }
  const inNepal = (ms: number) => new Date(ms + 5.75 * 3_600_000).toISOString().slice(0, 10)
  const totals = createTotals(inNepal)
  // 18:00 and 18:15 UTC: the second one is midnight there.
  totals.add({ groups: [group], quarters: [72] })
  totals.add({ groups: [group], quarters: [73, 72] })
  const { active_days, audio_seconds } = totals.figures()
  assert.deepEqual([active_days, audio_seconds], [2, 0.03])
})
