// The commands that end the studio of a data folder: now, after its work, and through the manager of its service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userSystemd } from '#test/support/services/user-systemd.ts'
import { addressOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, freePort, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const ASYNC = { prefer: 'respond-async' }
const TEXT = 'A sentence of a text that takes its time to be spoken. '.repeat(30)

test('finish waits for running jobs, refuses new work, and status says when it ends; stop ends the studio at once', async (t) => {
  const world = await openWorld(t, { fixedPort: true, env: { STUDIO_TTS_BACKEND: 'tone' } })
  const env = addressOf(world)
  const take = async () => (await world.send('POST', '/generate', form({ text: TEXT }), ASYNC)).json().id as string
  const ids = [await take(), await take(), await take()]
  const finishing = studio(['finish', '--wait', '600'], { env })
  const refused = await eventually(async () => {
    const reply = await world.post('/v1/audio/speech', { input: 'Too late.' })
    return reply.status === 503 && reply
  })
  assert.equal(refused.headers.get('retry-after'), '3')
  assert.match(refused.json().error.message, /The studio is stopping\./)
  const { code, errors, output } = await finishing
  assert.equal(code, 0, errors)
  assert.match(errors, /No new work is accepted\. (Waiting for [^,.]+|Nothing runs), then the studio stops\./)
  assert.equal(output, 'The studio has stopped.\n')
  assert.equal(await world.studio.ended, 0)

  await world.restart()
  for (const id of ids) await eventually(async () => (await world.get(`/jobs/${id}`)).json().status === 'done')
  assert.equal((await world.get('/history')).json().length, ids.length, 'none twice')
  const other = await studio(['stop'], { env: { ...env, STUDIO_DATA_DIR: temporaryFolder(t) } })
  assert.deepEqual([other.code, /No studio with the data of .* is running at/.test(other.errors)], [3, true], other.errors)
  const slow = world.post('/v1/audio/speech', { input: TEXT, response_format: 'wav' })
  await eventually(async () =>
    (await world.get('/workers/tasks?limit=9&always=true')).json().tasks.some((task: { state: string }) => task.state === 'running'),
  )
  const waiting = studio(['finish', '--json'], { env })
  const ending = await eventually(async () => {
    const { code, output } = await studio(['status'], { env })
    if (code !== 0) return 'it was quicker'
    return /Ending +accepts no new work, ends when what runs has ended, in \d+ h/.test(output.replaceAll(/\n +/g, ' ')) && output
  })
  t.diagnostic(ending.split('\n')[1] ?? ending)
  const stopped = await studio(['stop', '--json'], { env })
  if (stopped.code === 0) assert.deepEqual(jsonIn(stopped.output), { stopped: true, service: false })
  else assert.equal(stopped.code, 3, 'it had ended')
  assert.equal((await slow).status, 200, 'the answer that ran is whole')
  assert.equal((await waiting).code, 0)
  assert.equal(await world.studio.ended, 0)
  assert.equal((await studio(['finish'], { env })).code, 3)
})

test('a service is stopped by its manager', { skip: process.platform === 'linux' ? false : 'a stand-in of systemd' }, async (t) => {
  const folder = temporaryFolder(t)
  const systemd = userSystemd(t, folder)
  const port = { STUDIO_PORT: String(await freePort()), STUDIO_WORKER_PORT: String(await freePort()) }
  const env = { HOME: folder, STUDIO_DATA_DIR: `${folder}/data`, ...port, ...systemd.env }
  const installed = await studio(['service', 'install'], { env })
  assert.equal(installed.code, 0, installed.errors)
  const pid = systemd.pid()!
  const { code, output, errors } = await studio(['stop'], { env })
  assert.equal(code, 0, errors)
  assert.equal(output, 'The studio has stopped. Its service starts it again with the machine.\n')
  assert.match(systemd.calls().join('\n'), /^--user stop voice-studio\.service$/m)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  const inImage = await studio(['stop'], { env: { ...env, VOICE_STUDIO_IN_IMAGE: '1' } })
  assert.deepEqual([inImage.code, /Stop the container instead\./.test(inImage.errors)], [1, true])
})
