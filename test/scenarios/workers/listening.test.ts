// A machine that accepts connections, with the commands of its owner and real engines; the studios are simulated over real links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import { parseConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createController, offer } from '#test/agent/inbound/open-inbound.ts'
import { eventually } from '#test/support/doubles/link-pair.ts'
import { studio as command, jsonIn } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { slowly } from '#test/support/world/tasks.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const tone = (ms: number) => ({ engine: 'tone', params_json: Buffer.from(JSON.stringify(slowly(ms))) })

test('two studios share a listening machine; one is revoked while both work', async (t) => {
  const dataDir = temporaryFolder(t)
  // The system chooses the port, so that parallel tests do not collide.
  const settings = { STUDIO_DATA_DIR: dataDir, STUDIO_DEVELOPMENT: '1', STUDIO_INBOUND_PORT: '0' }
  const daemon = startProgram(t, ['agent/main.ts'], settings)
  await daemon.says(/"lending":false,"listening":false.*agent started/)
  await daemon.says(/serves no studio/)
  const run = async (...args: string[]) => {
    const { code, output, errors } = await command(['agent', ...args], { env: settings })
    assert.equal(code, 0, errors)
    return output
  }

  const refused = await command(['agent', 'keys', 'add', 'Ada'], { env: settings })
  assert.equal(refused.code, 1)
  assert.match(refused.errors, /^studio: This machine does not listen yet/)
  assert.match(await run('listen'), /^Listening: on 127\.0\.0\.1:\d+ \(this machine only\)\nNo connection string exists yet\./)
  const strings = [await run('keys', 'add', 'Ada'), await run('keys', 'add', 'Bob', 'the', 'Builder')].map((text) => text.split('\n')[0]!)
  const { port } = parseConnectionString(strings[0]!)
  assert.match(await run('keys'), /^[0-9a-f]{12} {2}Ada {14}created just now, not used yet\n[0-9a-f]{12} {2}Bob the Builder {2}created/)

  const [ada, bob] = [await createController(t), await createController(t)]
  await Promise.all([ada.enrolWith(strings[0]!), bob.enrolWith(strings[1]!)])
  const [toAda, toBob] = [await ada.connect(port), await bob.connect(port)]
  assert.match(await run('status'), /\n {2}Ada from 127\.0\.0\.1:\d+, connected just now, 0 tasks run\n {2}Bob/)

  const permits = (await toAda.describe({ studio_version: '0', features: [] })).capabilities.find(
    ({ engine }) => engine === 'tone',
  )!.permits
  // Neither a permit nor the wait of another controller depends on inputs that do not come.
  const inputs = [{ name: 'audio', size: 10, sha256: Buffer.alloc(32) }]
  const withheld = Array.from({ length: permits }, (_, index) => offer(toAda, `w${index}`, { ...tone(10), inputs }))
  await eventually('all are accepted', () => withheld.every(({ facts }) => facts().includes('accepted')))
  const quick = offer(toBob, 'quick', tone(10))
  await eventually('the other controller is served', () => quick.facts().includes('completed'))
  for (const { call } of withheld) call.write({ step: 'cancel', cancel: {} })
  await eventually('all are over', () => withheld.every(({ facts }) => facts().includes('failed')))

  const full = Array.from({ length: permits }, (_, index) => offer(toAda, `a${index}`, tone(60_000)))
  await eventually('all permits are taken', () => full.every(({ facts }) => facts().includes('running')))
  const own = offer(toAda, 'more', tone(10))
  await eventually('its own work fills the machine', () => own.facts().includes('declined'))
  const guest = offer(toBob, 'b', tone(60_000))
  await eventually('it waits for its turn', () => guest.facts().includes('loading'))
  full[0]!.call.write({ step: 'cancel', cancel: {} })
  await eventually('the first permit is the guest’s', () => guest.facts().includes('running'))
  assert.ok(
    full.slice(1).every(({ facts }) => !facts().some((fact) => ['completed', 'failed'].includes(fact))),
    'it waited for one task only',
  )

  const again = offer(toAda, 'again', tone(4_000))
  const { keys } = jsonIn(await run('keys', '--json')) as { keys: { key_id: string; label: string }[] }
  const from = daemon.output().length
  await run('keys', 'revoke', keys.find(({ label }) => label === 'Bob the Builder')!.key_id)
  await toBob.closed
  await daemon.says(/"taskId":"task-b".*revoked this connection string/, { from })
  await assert.rejects(bob.connect(port), { code: 'WORKER_REVOKED' })
  assert.equal(toAda.isOpen, true)
  await eventually('the other goes on', () => again.facts().includes('running') || again.facts().includes('declined'))

  await daemon.end('SIGKILL')
  const second = startProgram(t, ['agent/main.ts'], settings)
  await second.says(/"lending":false,"listening":true.*agent started/)
  const view = await createControlClient(controlPath(dataDir), clock).inbound({})
  assert.deepEqual(
    view.keys.map(({ label, revoked }) => [label, revoked]),
    [
      ['Ada', false],
      ['Bob the Builder', true],
    ],
  )
  await assert.rejects(bob.connect(view.port), { code: 'WORKER_REVOKED' })
  assert.equal((await ada.connect(view.port)).isOpen, true)
  assert.match(await run('listen', '--off'), /^Listening: off/)
  assert.match(await run('finish'), /^The agent has no unfinished tasks and exits now/)
  assert.equal(await second.ended, 0)
})
