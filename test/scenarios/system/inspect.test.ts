// STUDIO_INSPECT reaches the engine hosts of the studio's own agent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '#test/support/world/world.ts'

test('with STUDIO_INSPECT=hosts the log names the port of the inspector of an engine host', { timeout: 400_000 }, async (t) => {
  const world = await openWorld(t, { env: { STUDIO_INSPECT: 'hosts' } })
  assert.equal((await world.post('/v1/audio/speech', { input: 'Good morning.', response_format: 'wav' })).status, 200)
  const [, pid, port] = await world.studio.says(/"pid":(\d+),"port":(\d+),"notice":.*engine host accepts an inspector/)
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { title: string; url: string }[]
  assert.equal(targets.length, 1)
  assert.ok(targets[0]!.url.endsWith('/agent/engine/host/host.ts'), JSON.stringify(targets))
  assert.ok(world.studio.output().includes(`"pid":${pid},"msg":"engine host started"`))
})
