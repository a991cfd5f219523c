// The media tools of a studio through HTTP: gates, refusals, a chosen program in use, and a download whose server sends something else.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

test('media tools', async (t) => {
  const server = createServer((_, response) => response.end('not a program')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const folder = temporaryFolder(t)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync('/bin/sh', join(bin, 'sh'))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const world = await openWorld(t, { withoutAgent: true, env: { PATH: bin, STUDIO_MEDIA_TOOLS_URL: url } })
  const status = async () => (await world.get('/media-tools/status')).json()
  const authorize = (kind: 'ffmpeg' | 'ffprobe', path: string) =>
    writePathAuthorization(authorizationsFolder(world.dataDir), { kind, path }, random)
  const choose = (tool: string, authorization: string) => world.post(`/media-tools/${tool}/custom-path`, { authorization })
  const program = (name: string) => {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\necho '${name} version 8.0 Copyright'\n`)
    chmodSync(path, 0o755)
    return path
  }

  await t.test('nothing is installed, and a download of something else installs nothing', async () => {
    const idle = { state: 'idle', progress: 0, error: null }
    const before = await status()
    assert.deepEqual([before.ready, before.ops], [false, { acquire: idle, ytdlp_update: idle }])
    assert.equal(before.tools.ffmpeg.path, null)
    const { status: code, json } = await world.post('/media-tools/acquire')
    assert.deepEqual([code, Object.keys(json())], [200, ['state', 'progress', 'error']])
    const ended = await eventually(async () => {
      const { acquire } = (await status()).ops
      return acquire.state === 'error' ? acquire : null
    })
    assert.match(ended.error, /announced 13 bytes.*Nothing was installed/)
    assert.equal((await status()).ready, false)
    assert.equal((await world.get('/setup/preflight')).json().media_tools.ready, false)
  })

  await t.test('a chosen program is used at once and after a restart', async () => {
    const path = program('ffmpeg')
    const chosen = await choose('ffmpeg', authorize('ffmpeg', path))
    assert.deepEqual(chosen.json().tools.ffmpeg, { tool: 'ffmpeg', ok: true, path, version: '8.0', origin: 'custom' })
    assert.equal((await world.get('/setup/preflight')).json().media_tools.ready, true)
    await world.restart()
    assert.equal((await status()).tools.ffmpeg.origin, 'custom')
    assert.equal((await world.post('/media-tools/ffmpeg/restore')).json().tools.ffmpeg.path, null)
  })

  await t.test('wrong tools, authorizations and places are refused', async () => {
    const path = program('ffprobe')
    assert.equal((await choose('ffmpeg', 'a'.repeat(64))).status, 403)
    assert.equal((await choose('ffmpeg', authorize('ffprobe', path))).status, 403)
    assert.equal((await choose('ytdlp', authorize('ffmpeg', path))).status, 400)
    assert.equal((await choose('..%2f..%2fffmpeg', 'x')).status, 400)
    assert.equal((await choose('ffmpeg', authorize('ffmpeg', path))).status, 400, 'another program')
    assert.equal((await world.post('/media-tools/ffmpeg/custom-path', { path })).status, 422)
    for (const action of ['use-system', 'restore']) assert.equal((await world.post(`/media-tools/sh/${action}`)).status, 400)
    assert.equal((await world.post('/media-tools/ffmpeg/use-system')).status, 404)
    const token = authorize('ffprobe', path)
    const answers = await Promise.all([choose('ffprobe', token), choose('ffprobe', token)])
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 403], 'one of two racers wins')
  })
})
