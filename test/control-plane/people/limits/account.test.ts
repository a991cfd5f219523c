// Days, upper bounds, refusals and their sentences: the pure part of the limits of people.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  giveBack,
  inPeriod,
  limitRefusal,
  newAccount,
  type PersonAccount,
  reserve,
  withSpent,
} from '#control-plane/people/limits/account.ts'
import { createCalendar } from '#control-plane/people/limits/calendar.ts'
import { mostSoundMs, slower, soundMsOf, workMsOf } from '#control-plane/people/limits/estimate.ts'
import { MINUTE_MS, type TaskEstimate } from '#control-plane/people/limits/limits.ts'
import { quotaExceeded } from '#control-plane/people/limits/refusal.ts'
import { mostSoundSeconds } from '#shared/operations/tts.ts'
import { NO_LIMITS } from '#shared/protocol/access/person.ts'

const HOUR = 3_600_000
const at = (text: string): number => Date.parse(text)
const speech = (texts: readonly string[], more: object = {}) => ({
  operation: 'tts',
  params: JSON.stringify({ segments: texts.map((text) => ({ text })), ...more }),
  size: texts.join('').length,
})

suite('calendar', () => {
  test('days and months end at midnight of the studio, also where clocks change', () => {
    const table: [zone: string, now: string, day: string, nextDay: string, nextMonth: string][] = [
      ['UTC', '2026-11-30T23:59:59Z', '2026-11-30', '2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z'],
      ['Asia/Kolkata', '2026-11-30T18:30:00Z', '2026-12-01', '2026-12-01T18:30:00Z', '2026-12-31T18:30:00Z'],
      ['America/New_York', '2026-11-01T05:00:00Z', '2026-11-01', '2026-11-02T05:00:00Z', '2026-12-01T05:00:00Z'], // 25 hours
      ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-08', '2026-03-09T04:00:00Z', '2026-04-01T04:00:00Z'], // 23 hours
      ['Australia/Lord_Howe', '2026-04-05T00:00:00Z', '2026-04-05', '2026-04-05T13:30:00Z', '2026-04-30T13:30:00Z'],
      ['America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-03', '2018-11-04T03:00:00Z', '2018-12-01T02:00:00Z'], // no midnight
      ['Pacific/Apia', '2011-12-29T12:00:00Z', '2011-12-29', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z'], // no 30 December
    ]
    for (const [zone, now, day, nextDay, nextMonth] of table) {
      const { periodOf } = createCalendar(zone)
      const period = periodOf(at(now))
      assert.deepEqual([period.day, period.month], [day, day.slice(0, 7)], zone)
      assert.equal(new Date(period.nextDayAt).toISOString(), new Date(nextDay).toISOString(), `${zone} day`)
      assert.equal(new Date(period.nextMonthAt).toISOString(), new Date(nextMonth).toISOString(), `${zone} month`)
      assert.equal(periodOf(period.nextDayAt - 1).day, day, 'the last moment')
      assert.notEqual(periodOf(period.nextDayAt).day, day)
    }
  })

  test('every moment belongs to one day, and the next one begins within 26 hours', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham']
    const calendars = zones.map(createCalendar)
    fc.assert(
      fc.property(fc.integer({ min: at('2024-01-01'), max: at('2040-01-01') }), fc.nat({ max: zones.length - 1 }), (moment, index) => {
        const { periodOf, dayOf } = calendars[index]!
        const { day, month, nextDayAt, nextMonthAt } = periodOf(moment)
        assert.ok(nextDayAt > moment && nextDayAt <= moment + 26 * HOUR && nextMonthAt >= nextDayAt)
        assert.ok(dayOf(moment) === day && dayOf(nextDayAt - 1) === day && dayOf(nextDayAt) > day)
        assert.ok(dayOf(nextMonthAt - 1).startsWith(month) && !dayOf(nextMonthAt).startsWith(month))
      }),
      { numRuns: 60 },
    )
  })
})

suite('estimate', () => {
  test('the bound of speech grows with its text and pauses, follows its speed and is never above that of engines', () => {
    const short = mostSoundMs(speech(['Hello there.']))
    assert.ok(short > 1_500 && short < 6_000, `${short}`)
    assert.ok(mostSoundMs(speech(['Hello there.'], { speed: 0.5 })) > 1.9 * short)
    assert.equal(mostSoundMs(speech(['Hello there.'], { speed: 3 })), short, 'a fast voice reserves what a normal one does')
    assert.ok(mostSoundMs(speech(['你好，世界。'])) > mostSoundMs(speech(['abcdef'])))
    assert.ok(mostSoundMs(speech(['1234567890'])) > 2 * mostSoundMs(speech(['abcdefghij'])))
    assert.ok(mostSoundMs(speech(['x'.repeat(1_000)], { duration: 5 })) <= 7_000)
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 5 }), (texts) => {
        const bound = mostSoundMs(speech(texts))
        assert.ok(bound > 0 && bound <= mostSoundSeconds({ segments: texts.map((text) => ({ text })) }) * 1000)
      }),
      { numRuns: 50 },
    )
  })

  test('a recording counts once, and analyses of it count no sound', () => {
    const recording = (operation: string, params: object = {}) => ({ operation, params: JSON.stringify(params), size: 90 })
    assert.equal(mostSoundMs(recording('asr')), 90_000)
    assert.equal(mostSoundMs({ ...recording('asr'), newSeconds: 2.5 }), 2_500, 'live sound that was recognised before')
    assert.equal(mostSoundMs({ ...recording('asr'), newSeconds: 100 }), 90_000)
    for (const operation of ['vad', 'align', 'diarize', 'separate', 'denoise', 'identify'])
      assert.equal(mostSoundMs(recording(operation)), 0)
    assert.equal(workMsOf(recording('separate')), 90_000)
    assert.equal(workMsOf(recording('translate')), 900)
    assert.equal(soundMsOf(speech(['x']), JSON.stringify({ sample_rate: 24_000, parts: [{ samples: 24_000 }, { samples: 12_000 }] })), 1500)
    assert.equal(soundMsOf(recording('asr'), '{}'), 90_000)
    assert.equal(mostSoundMs({ operation: 'tts', params: '{}', size: 0 }), 0, 'parameters that no engine accepts')
  })

  test('a slower engine counts at once, and a faster one slowly', () => {
    assert.equal(slower(undefined, 0.2), 0.2)
    assert.equal(slower(0.2, 3), 3)
    const eased = slower(3, 0)
    assert.ok(eased < 3 && eased > 2.5)
  })
})

suite('account', () => {
  const day = { day: '2026-11-30', month: '2026-11', nextDayAt: 1000, nextMonthAt: 2000 }
  const limits = { ...NO_LIMITS, sound_minutes_a_day: 10, gpu_minutes_a_month: 20, tasks_at_once: 3, disk_bytes: 1_000 }
  const needs = (soundMs: number, gpuMs = 0, bytes = 0): TaskEstimate => ({ soundMs, gpuMs, bytes })

  test('a refusal says when it is free: with running work, the next day, the next month, or never', () => {
    const used = withSpent(newAccount(day), day.day, { soundMs: 6 * MINUTE_MS, gpuMs: 15 * MINUTE_MS })
    const refused = (account: PersonAccount, needed: TaskEstimate, bytes = 0) => {
      const refusal = limitRefusal(limits, account, needed, day, bytes)
      return refusal && [refusal.limit, refusal.free]
    }
    assert.equal(refused(used, needs(4 * MINUTE_MS, 5 * MINUTE_MS, 1_000)), null, 'all of the rest')
    assert.deepEqual(refused(used, needs(4 * MINUTE_MS + 1)), ['sound_minutes_a_day', 1000])
    assert.deepEqual(refused(used, needs(0, 6 * MINUTE_MS)), ['gpu_minutes_a_month', 2000])
    assert.deepEqual(refused(used, needs(11 * MINUTE_MS)), ['sound_minutes_a_day', null])
    assert.deepEqual(refused(used, needs(0, 0, 500), 600), ['disk_bytes', 'deleted'])
    const busy = reserve(used, needs(3 * MINUTE_MS))
    assert.deepEqual(refused(busy, needs(2 * MINUTE_MS)), ['sound_minutes_a_day', 'running'])
    assert.deepEqual(refused(reserve(reserve(busy, needs(0)), needs(0)), needs(0)), ['tasks_at_once', 'running'])
    const full = withSpent(newAccount(day), day.day, { soundMs: 11 * MINUTE_MS, gpuMs: 0 })
    assert.equal(refused(full, needs(0)), null, 'a task that needs none of what is used up')
    assert.equal(refused(inPeriod(full, { day: '2026-12-01', month: '2026-12' }), needs(MINUTE_MS)), null)
    const nextDay = inPeriod(withSpent(newAccount(day), day.day, { soundMs: 1, gpuMs: 7 }), { day: '2026-12-01', month: '2026-11' })
    assert.deepEqual(nextDay.settled, { soundMs: 0, gpuMs: 7 }, 'a day of the same month')
  })

  test('with any order of beginnings and ends, nothing settled exceeds a limit while estimates hold', () => {
    const task = fc.record({
      needs: fc.nat({ max: 6 }),
      takes: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.constantFrom('done', 'failed', 'lost'),
    })
    const step = fc.oneof(fc.record({ begin: task }), fc.record({ end: fc.nat() }), fc.record({ lower: fc.nat({ max: 10 }) }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let account = newAccount(day)
        let most = 10
        const running: { estimate: TaskEstimate; spent: { soundMs: number; gpuMs: number } }[] = []
        let high = most
        for (const one of steps) {
          if ('lower' in one) most = one.lower
          else if ('begin' in one) {
            const estimate = needs(one.begin.needs * MINUTE_MS, one.begin.needs * MINUTE_MS)
            const share = one.begin.end === 'done' ? one.begin.takes : 0
            const refusal = limitRefusal(
              { ...NO_LIMITS, sound_minutes_a_day: most, gpu_minutes_a_month: most },
              account,
              estimate,
              day,
              null,
            )
            if (refusal) continue
            // Work that began below a limit stays below it, also when the limit is lowered afterwards.
            if (estimate.soundMs > 0) high = Math.max(account.settled.soundMs + account.reserved.soundMs + estimate.soundMs, 0) / MINUTE_MS
            assert.ok(estimate.soundMs === 0 || high <= most)
            account = reserve(account, estimate)
            running.push({ estimate, spent: { soundMs: Math.floor(estimate.soundMs * share), gpuMs: Math.floor(estimate.gpuMs * share) } })
          } else if (running.length > 0) {
            const [ended] = running.splice(one.end % running.length, 1)
            account = withSpent(giveBack(account, ended!.estimate), day.day, ended!.spent)
          }
          assert.ok(account.settled.soundMs + account.reserved.soundMs <= 10 * MINUTE_MS)
          assert.ok(account.settled.gpuMs <= 10 * MINUTE_MS)
        }
        for (const { estimate, spent } of running) account = withSpent(giveBack(account, estimate), day.day, spent)
        assert.deepEqual([account.tasks, account.reserved], [0, { soundMs: 0, gpuMs: 0, bytes: 0 }], 'every reservation was returned')
      }),
      { numRuns: 200 },
    )
  })
})

test('the sentence of a refusal has the figures and the moment at which it is free again', () => {
  const calendar = createCalendar('Europe/Berlin')
  const now = at('2026-11-30T17:00:00Z')
  const { nextDayAt } = calendar.periodOf(now)
  const minutes = (most: number, settled: number, reserved: number, needed: number) => ({
    limit: 'sound_minutes_a_day' as const,
    most: most * MINUTE_MS,
    settled: settled * MINUTE_MS,
    reserved: reserved * MINUTE_MS,
    needed: needed * MINUTE_MS,
  })
  const later = quotaExceeded({ ...minutes(30, 28.04, 0, 4), free: nextDayAt }, now, calendar)
  assert.equal(
    later.message,
    'The limit is 30 minutes of sound a day: 28 minutes are used today, and this may need 4 minutes. It is free again on 1 December 2026 at 00:00.',
  )
  assert.deepEqual([later.code, later.retryAfterSeconds], ['QUOTA_EXCEEDED', 6 * 3600])
  assert.deepEqual(later.values, { limit: 'sound_minutes_a_day', amount: 30, free: nextDayAt })
  const running = quotaExceeded({ ...minutes(30, 1, 28, 4), free: 'running' }, now, calendar)
  assert.equal(
    running.message,
    'The limit is 30 minutes of sound a day: 1 minute is used today, running work may need 28 minutes, and this may need 4 minutes. Try again when running work has ended.',
  )
  assert.equal(running.retryAfterSeconds, 5)
  assert.deepEqual(running.values, { limit: 'sound_minutes_a_day', amount: 30, free: 'running' })
  const never = quotaExceeded({ ...minutes(5, 0, 0, 9), free: null }, now, calendar)
  assert.match(never.message, /^The limit is 5 minutes of sound a day, and this may need 9 minutes\. Send less at once/)
  assert.equal(never.retryAfterSeconds, undefined)
  assert.equal(never.values?.['free'], 'never')
  const atOnce = { limit: 'tasks_at_once' as const, most: 3, settled: 0, reserved: 3, needed: 1, free: 'running' as const }
  assert.equal(
    quotaExceeded(atOnce, now, calendar).message,
    'The limit is 3 tasks at once, and 3 are running or waiting. Try again when one has ended.',
  )
  const disk = { limit: 'disk_bytes' as const, most: 1e9, settled: 9e8, reserved: 0, needed: 2e8, free: 'deleted' as const }
  assert.match(
    quotaExceeded(disk, now, calendar).message,
    /^The limit is 1\.0 GB on the disk of the studio: 900 MB are used, and this may need 200 MB\. Delete something first\.$/,
  )
})
