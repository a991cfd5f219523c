import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookProgress } from '#control-plane/features/books/assembly/book-progress.ts'

function watched(total: number) {
  let now = 0
  const reports: { fraction: number | null; secondsLeft: number | null }[] = []
  const progress = bookProgress(total, ({ fraction, secondsLeft }) => reports.push({ fraction, secondsLeft }), { mono: () => now })
  return { reports, progress, at: (ms: number) => (now = ms) }
}

test('the slower of speech and mastering decides about the time that is left', () => {
  const { reports, progress, at } = watched(1000)
  progress.spoken(1000)
  at(10_000)
  progress.spoken(500) // 50 s of sound a second
  at(20_000)
  progress.mastered(750) // 12.5 s of sound a second
  at(21_000)
  progress.spoken(0)
  at(50_000)
  progress.mastered(500)
  assert.deepEqual(reports, [
    { fraction: 0, secondsLeft: null },
    { fraction: 0.375, secondsLeft: 10 },
    { fraction: 0.4375, secondsLeft: 60 },
    { fraction: 0.8125, secondsLeft: 63 },
    { fraction: 0.875, secondsLeft: 50 },
  ])
})

test('speech that was cached before counts as spoken and not for the pace; reports are a second apart', () => {
  const { reports, progress, at } = watched(1000)
  progress.spoken(200)
  at(999)
  progress.spoken(150)
  at(1000)
  progress.spoken(100) // 100 s of sound in a second
  assert.deepEqual(reports, [
    { fraction: 1 - 0.75 * 0.2 - 0.25, secondsLeft: null },
    { fraction: 1 - 0.75 * 0.1 - 0.25, secondsLeft: 1 },
  ])
  const empty = watched(0)
  empty.progress.spoken(0)
  assert.deepEqual(empty.reports, [{ fraction: null, secondsLeft: 0 }])
})
