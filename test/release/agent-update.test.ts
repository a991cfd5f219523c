// Updates a real packed agent while it runs a task: the task ends, the agent comes back as the new version with its identity and its approval, and a
// rollback brings the old one back.
import assert from 'node:assert/strict'
import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { runToEnd } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'
import { nativeName, nativePlatforms } from '#tools/release/natives.ts'
import { pack } from '#tools/release/pack.ts'

const OWN = `${process.platform}-${process.arch}`
const NEXT = '99.0.0'
const skip = isLongRun ? !nativePlatforms().includes(OWN) && `no native package for ${OWN}` : 'long: ./studio test --long'
/** Speech of some ten minutes, which takes the embedded voice longer than the trial of a version. */
const TEXT = 'The harbour was quiet at five, and the boats came home with the tide. '.repeat(6)
const SEGMENTS = 60

const endings: (() => unknown)[] = []
const owner = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})
const open = sharedWorld({ withoutAgent: true, remote: true })

test('an agent that is updated ends its task first, and keeps its identity and its approval', { skip, timeout: 900_000 }, async (t) => {
  const folder = temporaryFolder(owner)
  const packed = pack({ out: join(folder, 'old'), draft: true, only: [PACKAGES.agent, nativeName(OWN)] })
  pack({ out: join(folder, 'new'), draft: true, only: [PACKAGES.agent], version: NEXT })
  const npm = join(folder, 'npm')
  mkdirSync(npm)
  writeFileSync(join(npm, 'package.json'), '{}')
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  const installed = await runToEnd('npm', ['install', ...options, ...packed.map(({ file }) => file)], { cwd: npm })
  assert.equal(installed.code, 0, installed.errors)
  const env = { HOME: folder, STUDIO_DATA_DIR: join(folder, 'data') }
  const bin = join(npm, 'node_modules/.bin', PACKAGES.agent)
  const run = (...words: string[]) => runToEnd(process.execPath, [bin, ...words], { env, cwd: folder })

  const world = await open()
  const { token } = (await world.post('/workers/enrollments', { label: 'attic' })).json()
  const joined = await run('join', token, '--no-service')
  const [, id = ''] = / as ([0-9a-f]+)\./.exec(joined.output) ?? []
  assert.notEqual(id, '', joined.output + joined.errors)
  const agent = startProgram(owner, [bin], env, { cwd: folder })
  type Shown = { id: string; connected: boolean; consent_granted: boolean; worker_version: string; static: { worker_version: string } }
  const shown = async (): Promise<Shown | undefined> => (await world.get('/workers')).json().workers.find((each: Shown) => each.id === id)
  const comesBack = (version: string) =>
    eventually(async () => {
      const machine = await shown()
      return machine?.connected === true && JSON.stringify(machine).includes(`"worker_version":"${version}"`)
    })
  await comesBack(VERSION)
  assert.equal((await world.post(`/workers/${id}/consent`, {})).status, 200)
  await world.post('/workers/target', { target: id })
  const speak = (key: string, segments: object[]) =>
    world.task({ engine: 'flite', idempotency_key: key, deadline_seconds: 600, params: { segments } })
  const short = await speak('before', [{ text: 'Good morning.' }])
  assert.equal(short.json().state, 'completed', short.body.toString())

  const update = startProgram(owner, [bin, 'update', '--from', join(folder, 'new'), '--wait', '600'], env, { cwd: folder })
  await update.says(/Trying it/)
  const task = speak(
    'during',
    Array.from({ length: SEGMENTS }, () => ({ text: TEXT })),
  )
  let isEnded = false
  void task.then(() => {
    isEnded = true
  })
  await update.says(/Finishing what runs/)
  assert.equal(isEnded, false, 'the task runs while the agent is asked to finish')
  const startedAt = performance.now()
  assert.equal(await update.ended, 0, update.output())
  assert.match(update.output(), new RegExp(`Version ${NEXT} runs\\.`))
  const done = (await task).json()
  assert.equal(done.state, 'completed', JSON.stringify(done))
  assert.equal(done.worker_id ?? id, id)
  t.diagnostic(`from the request to finish to the new version: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  await comesBack(NEXT)
  assert.equal((await shown())?.consent_granted, true)
  assert.equal(readlinkSync(join(folder, 'data/program/current')), NEXT)
  assert.equal(agent.child.exitCode, null, 'the same process')
  assert.equal((await speak('after', [{ text: 'Good evening.' }])).json().state, 'completed')

  const back = await run('rollback')
  assert.equal(back.code, 0, back.errors)
  await comesBack(VERSION)
  assert.equal((await shown())?.consent_granted, true)
  assert.equal((await speak('back', [{ text: 'Good night.' }])).json().state, 'completed')
  const { workers } = (await world.get('/workers')).json()
  assert.equal(
    workers.filter((each: { label?: string; name: string }) => each.name === 'attic').length,
    1,
    'it is one machine all the time',
  )
  assert.equal(await agent.end('SIGTERM'), 0, agent.output())
})
