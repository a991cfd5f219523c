import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLocalAgent } from '#control-plane/sessions/local.ts'
import { type Log, silentLog } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

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

test('an agent is asked to end by SIGTERM, and on Windows by a message', async (t) => {
  const folder = temporaryFolder(t)
  const program = join(folder, 'agent')
  const said = join(folder, 'said')
  const script = `#!${process.execPath}
const note = (how) => { require('node:fs').writeFileSync(process.env.SAID, how); process.exit(0) }
process.on('SIGTERM', () => note('signal'))
process.on('message', (message) => message.finish === true ? note('message') : process.send('ready'))
process.send('invitation')
`
  writeFileSync(program, script, { mode: 0o700 })
  for (const [platform, how] of [
    ['linux', 'signal'],
    ['win32', 'message'],
  ] as const) {
    const invited = Promise.withResolvers<void>()
    const invite = async () => {
      invited.resolve()
      return { id: 'i', secret: 's', pins: [], endpoints: [], known: false }
    }
    const deps = { environment: { SAID: said }, invite, clock: createFakeClock(), random: systemRandom, log: silentLog, program }
    const agent = createLocalAgent({ ...deps, platform })
    await agent.start()
    await invited.promise
    await agent.stop()
    assert.equal(readFileSync(said, 'utf8'), how)
  }
})
