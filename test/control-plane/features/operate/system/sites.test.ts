// Pages that cannot be shown: one attempt for all visitors, and one line in the log for one reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PagesNotBuilt } from '#control-plane/features/operate/system/pages/failure.ts'
import { createSites } from '#control-plane/features/operate/system/pages/sites.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

function openSites(isDevelopment: boolean) {
  const clock = createFakeClock()
  const state = { attempts: 0, logged: [] as string[], reason: 'no pages', folder: 'a' }
  const sites = createSites({
    find: async () => {
      state.attempts++
      if (state.reason !== '') throw new Error(state.reason)
      return state.folder
    },
    open: async (folder) => `site of ${folder}`,
    isDevelopment,
    clock,
    log: { error: (fields: object) => void state.logged.push(String((fields as { err: Error }).err.message)) },
  })
  const refused = async (get = sites.current) => {
    await assert.rejects(get(), (error) => error instanceof PagesNotBuilt && error.message === state.reason)
  }
  return { clock, state, sites, refused }
}

for (const [isDevelopment, pauseMs] of [
  [false, 10_000],
  [true, 2000],
] as const)
  test(`a failure is kept for ${pauseMs} ms and logged once for each reason${isDevelopment ? ', in development' : ''}`, async () => {
    const { clock, state, sites, refused } = openSites(isDevelopment)
    await Promise.all([refused(), refused(), refused(sites.opened)])
    await refused()
    clock.advance(pauseMs - 1)
    await refused(sites.opened)
    assert.equal(state.attempts, 1, 'one attempt for all visitors')
    clock.advance(1)
    await refused()
    assert.deepEqual([state.attempts, state.logged], [2, ['no pages']])
    clock.advance(pauseMs)
    state.reason = 'another'
    await refused()
    assert.deepEqual(state.logged, ['no pages', 'another'])
    clock.advance(pauseMs)
    state.reason = ''
    assert.equal(await sites.current(), 'site of a')
    state.folder = 'b'
    assert.equal(await sites.current(), isDevelopment ? 'site of b' : 'site of a')
    assert.equal(await sites.opened(), isDevelopment ? 'site of b' : 'site of a')
    assert.equal(state.attempts, isDevelopment ? 5 : 4)
  })
