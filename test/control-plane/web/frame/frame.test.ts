// Addresses of the pages, and what the jobs tray says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobName, meanProgress } from '#control-plane/web/frame/active-jobs.ts'
import { addressOf, decoded } from '#control-plane/web/frame/address.ts'
import { outdated } from '#control-plane/web/frame/kept/statement.ts'
import { phonePlaces } from '#control-plane/web/frame/places.ts'

test('an address names a page, its object and its choices; earlier addresses still work', () => {
  assert.deepEqual([decoded('a%20b'), decoded('100%')], ['a b', '100%'])
  const { page, object, query } = addressOf('#/jobs/a1b2?state=failed&kind=dub')
  assert.deepEqual([page, object, query.get('state'), query.get('kind')], ['jobs', 'a1b2', 'failed', 'dub'])
  assert.deepEqual(
    ['', '#/', '#/tasks', '#/start', '#/workers', '#/constructor'].map((hash) => addressOf(hash).page),
    ['', '', 'jobs', 'setup', 'machines', 'constructor'],
  )
})

test('the bar of a phone has Home, Speak, Projects and Jobs, and other places where one of them does not exist', () => {
  const shown = (...names: string[]) => phonePlaces(names.map((page) => ({ page }))).map(({ page }) => page)
  const all = ['home', 'speak', 'dub', 'audiobook', 'projects', 'files', 'jobs', 'machines']
  assert.deepEqual(shown(...all), ['home', 'speak', 'projects', 'jobs'])
  assert.deepEqual(shown(...all.filter((name) => name !== 'jobs')), ['home', 'speak', 'projects', 'dub'])
  assert.deepEqual(shown('speak', 'home'), ['speak', 'home'])
})

test('a job is called by its title or its file, otherwise by its kind', () => {
  const named = (type: string, meta: string) => jobName({ type, meta_json: meta } as Parameters<typeof jobName>[0])
  assert.equal(named('generate', '{"title":" A harbour "}'), 'A harbour')
  assert.equal(named('dub_upload', '{"dub":"d1","filename":"tour.mp4"}'), 'tour.mp4')
  assert.equal(named('audiobook', '{"title":""}'), 'Audiobook')
  assert.equal(named('some_kind', 'no JSON'), 'Some kind')
})

test('the ring shows the mean progress, and nothing while no job knows its own', () => {
  assert.equal(meanProgress([{ progress: 0.5 }, { progress: null }]), 0.25)
  assert.equal(meanProgress([{ progress: null }]), null)
})

test('of recorded statements that were not sent, the newest eight are kept for seven days', () => {
  const day = 24 * 60 * 60 * 1000
  const now = 100 * day
  const records = Array.from({ length: 10 }, (_, index) => [`voice-${index}`, now - index * 1000] as const)
  assert.deepEqual(outdated(records, now), ['voice-8', 'voice-9'])
  assert.deepEqual(
    outdated(
      [
        ['new', now - 6.9 * day],
        ['old', now - 7.1 * day],
        ['clock-set-back', now + 8 * day],
      ],
      now,
    ).toSorted(),
    ['clock-set-back', 'old'],
  )
})
