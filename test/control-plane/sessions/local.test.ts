import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createLocalAgent } from '#control-plane/sessions/local.ts'
import type { Log } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('an agent that cannot be started is tried again, and a stop does not wait for it', async () => {
  const clock = createFakeClock()
  const tried = new EventTarget()
  const nothing = () => {}
  const warn = () => void tried.dispatchEvent(new Event('warned'))
  const log: Log = { debug: nothing, info: nothing, warn, error: nothing, child: () => log }
  const invite = async () => assert.fail('an invitation for no agent')
  const program = '/nonexistent/node'
  const agent = createLocalAgent({ environment: {}, invite, clock, random: systemRandom, log, program })
  const failed = once(tried, 'warned')
  await agent.start()
  await failed
  assert.equal(agent.pid(), null)
  const again = once(tried, 'warned')
  clock.advance(60_000)
  await again
  await agent.stop()
  assert.equal(clock.waiting(), 0)
})
