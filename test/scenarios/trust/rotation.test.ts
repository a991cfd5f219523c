// The authority of the studio is replaced while machines are connected: connected machines follow, and offline machines are not lost.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAudit } from '#control-plane/audit/audit-log.store.ts'
import { parseJoinCode } from '#shared/protocol/codes/join-code.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true, ownAuthority: true, withoutAgent: true })
type Named = { readonly id: string }
const ids = (list: Named[]) => list.map(({ id }) => id)

test('prepare, activate, retire', async (t) => {
  const world = await open()
  const authority = async () => (await world.get('/workers/authority')).json()
  const step = (name: string, force = false) => world.post('/workers/authority', { step: name, force })
  const behindIs = (...wanted: string[]) =>
    eventually(async () => {
      const view = await authority()
      return JSON.stringify(ids(view.behind).sort()) === JSON.stringify([...wanted].sort()) && view
    })
  const awake = await world.machine('awake')
  await world.approve(awake)
  const asleep = await world.machine('asleep')
  await asleep.program.end()
  const printed = await world.code({ label: 'printed' })
  const first = await authority()
  assert.deepEqual([first.phase, first.next_fingerprint, first.behind, first.must_join_again], ['steady', null, [], []])
  for (const wrong of ['activate', 'retire']) assert.equal((await step(wrong)).status, 409, wrong)
  assert.equal((await world.post('/workers/authority', { step: 'undo' })).status, 422)

  const prepared = (await Promise.all([step('prepare'), step('prepare')])).map((reply) => reply.json())
  assert.equal(prepared[0].next_fingerprint, prepared[1].next_fingerprint, 'a repeated step has no effect')
  await behindIs(asleep.workerId)
  const pins = parseJoinCode(await world.code()).pins
  assert.deepEqual(pins, [first.fingerprint, prepared[0].next_fingerprint])

  const from = world.studio.output().length
  assert.equal((await step('activate')).json().phase, 'activated')
  const activated = await behindIs(asleep.workerId)
  assert.deepEqual(
    [activated.fingerprint, activated.previous_fingerprint, ids(activated.must_join_again)],
    [prepared[0].next_fingerprint, first.fingerprint, [asleep.workerId]],
  )
  assert.doesNotMatch(world.studio.output().slice(from), /a machine is gone/, 'sessions that stand are not touched')
  const early = await step('retire')
  assert.equal(early.status, 409)
  assert.match(early.json().detail, /have not renewed their certificate yet: asleep\./)

  const joining = startProgram(t, ['agent/main.ts', 'join', printed], { STUDIO_DATA_DIR: temporaryFolder(t) })
  assert.equal(await joining.ended, 0, joining.output())
  const [, joined] = joining.output().match(/ as ([0-9a-f]+)\./)!
  // Its certificate is of the new authority, but only a connection proves that the machine received it.
  await behindIs(asleep.workerId, joined!)
  assert.equal((await world.delete(`/workers/${joined}`)).status, 200)
  await awake.program.end()
  const again = await awake.restart()
  await world.restart('SIGKILL')
  await world.studio.says(new RegExp(`"workerId":"${awake.workerId}".*a machine is connected`))
  const woken = await asleep.restart()
  const waited = await behindIs()
  assert.deepEqual(waited.must_join_again, [])

  assert.equal((await step('retire')).json().phase, 'steady')
  await Promise.all([again.program.end(), woken.program.end()])
  await again.restart()
  const last = await woken.restart()
  await world.restart()
  await world.studio.says(new RegExp(`"workerId":"${awake.workerId}".*a machine is connected`))
  await world.post('/workers/target', { target: awake.workerId })
  const reply = await world.task({ engine: 'tone', params: { segments: [{ text: 'all is new' }] } })
  assert.equal(reply.status, 200, reply.body.toString())

  await last.program.end()
  assert.equal((await step('prepare')).status, 200)
  assert.equal((await step('activate')).status, 200)
  await behindIs(asleep.workerId)
  const port = new URL(world.url).port
  const cli = (...args: string[]) => startProgram(t, ['cli/main.ts', 'authority', ...args], { STUDIO_PORT: port })
  const refused = cli('retire')
  assert.equal(await refused.ended, 1)
  assert.match(refused.output(), /Wake them, remove them, or retire with force/)
  const shown = cli('show')
  assert.equal(await shown.ended, 0)
  assert.match(shown.output(), new RegExp(`^State: activated\\n(.*\\n)*  ${asleep.workerId}  asleep\\n`))
  const forced = cli('retire', '--force')
  assert.equal(await forced.ended, 0)
  assert.match(forced.output(), new RegExp(`^State: steady\\n(.*\\n)*Must join again:\\n  ${asleep.workerId}  asleep\\n$`))
  assert.equal((await world.get('/health')).status, 200)

  const kinds = (await readAudit(join(world.dataDir, 'studio.db'))).map(({ kind }) => kind)
  assert.deepEqual(
    kinds.filter((kind) => kind.startsWith('rotate')),
    ['rotate-prepare', 'rotate-activate', 'rotate-retire', 'rotate-prepare', 'rotate-activate', 'rotate-retire'],
  )
})
