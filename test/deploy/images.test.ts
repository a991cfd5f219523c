// The images of deploy/container: built of packages without a registry, started as their user, joined to a studio, one task. Needs 3 GB of disk, which
// it gives back.
import assert from 'node:assert/strict'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PACKAGES } from '#shared/protocol/version.ts'
import { nativeName } from '#tools/release/natives.ts'
import { pack } from '#tools/release/pack.ts'
import { eventually, freePort, openWorld, temporaryFolder } from '../support/world/world.ts'
import { type ImageStore, noImages, openStore } from './images.ts'

const skip = noImages
const timeout = 3_600_000
const USER = 10_001

const endings: (() => unknown)[] = []
const world = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})
const folder = temporaryFolder(world)
/** A folder that belongs to the user of the images. */
function volume(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o700 })
  chownSync(path, USER, USER)
  return path
}
let store: ImageStore

test('both images are built of the packages, without a registry of npm', { skip, timeout }, async () => {
  const packages = join(folder, 'packages')
  const own = nativeName(`${process.platform}-${process.arch}`)
  pack({ out: packages, draft: true, only: [PACKAGES.studio, PACKAGES.agent, own] })
  store = openStore(folder, packages)
  await store.base()
  for (const target of ['agent', 'studio'] as const) {
    await store.build(target)
    const { Docker } = JSON.parse(await store.buildah('inspect', '--type', 'image', `localhost/${target}:test`))
    const { User, Healthcheck, Entrypoint } = Docker.config
    assert.equal(User, `${USER}:${USER}`)
    assert.equal(Healthcheck.Test[0], 'CMD', target)
    assert.deepEqual(Entrypoint, [target === 'agent' ? 'voice-studio-agent' : 'voice-studio'])
  }
})

test('an agent in its image joins a studio by a code from standard input, is healthy, and runs a task', { skip, timeout }, async (t) => {
  const studio = await openWorld(t, { remote: true, withoutAgent: true })
  const data = volume('agent')
  const code = await studio.code({ label: 'container' })
  const alone = await store.start('agent', data, ['run'], {})
  assert.equal(await alone.ended, 1)
  assert.match(alone.output(), /This machine has not joined a studio\. Run this image once with 'join'/)

  const joining = await store.start('agent', data, ['join'], {})
  joining.input.end(`${code}\n`)
  assert.equal(await joining.ended, 0, joining.output())
  const [, workerId = ''] = / as ([0-9a-f]+)\./.exec(joining.output()) ?? []
  assert.notEqual(workerId, '', joining.output())

  const agent = await store.start('agent', data, ['run'], {})
  t.after(() => agent.end('SIGKILL'))
  await studio.studio.says(new RegExp(`"workerId":"${workerId}".*a machine is connected`))
  const health = ['run', '--isolation', 'chroot', '--user', `${USER}:${USER}`, '--volume', `${data}:/var/lib/voice-studio`]
  assert.match(await store.buildah(...health, agent.container, '--', 'voice-studio-agent', 'status'), /lend/i)
  assert.equal((await studio.post(`/workers/${workerId}/consent`)).status, 200)
  await studio.post('/workers/target', { target: workerId })
  const spoken = await studio.post('/v1/audio/speech', { input: 'Good morning from a container.', response_format: 'wav' })
  assert.equal(spoken.status, 200, spoken.body.toString())
  assert.equal(spoken.body.toString('latin1', 0, 4), 'RIFF')
  await agent.says(/an attempt is complete/)
  await agent.end()
})

test('the studio in its image starts, is healthy and speaks', { skip, timeout }, async (t) => {
  const port = await freePort()
  const settings = { STUDIO_PORT: String(port), STUDIO_WORKER_PORT: String(await freePort()) }
  const studio = await store.start('studio', volume('studio'), ['start'], settings)
  t.after(() => studio.end('SIGKILL'))
  await studio.says(/listens on http/)
  const url = `http://127.0.0.1:${port}`
  assert.equal(((await (await fetch(`${url}/health`)).json()) as { status: string }).status, 'ok')
  const spoken = await eventually(async () => {
    const answer = await fetch(`${url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'Good morning.', response_format: 'opus' }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return answer.status === 200 && bytes
  })
  assert.equal(spoken.toString('latin1', 0, 4), 'OggS', 'with the ffmpeg of the image')
  await studio.end()
})
