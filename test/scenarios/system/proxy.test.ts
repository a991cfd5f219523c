// A proxy that is set in the running studio is used by the next download of its agent, without a restart.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { eventually, openWorld } from '#test/support/world/world.ts'

const REPO = 'csukuangfj/sherpa-onnx-whisper-tiny'

test('a changed proxy reaches the running local agent', { timeout: 400_000 }, async (t) => {
  const reached: string[] = []
  const proxy = createServer((_request, response) => response.writeHead(502).end())
    .on('connect', (request, socket) => {
      reached.push(request.url!)
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    .listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close().closeAllConnections())
  const address = `http://user:canary-password@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  // A name that no resolver has: without the proxy nothing is reached.
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: 'https://models.invalid' } })
  const set = async (value: string) => assert.equal((await world.post('/system/set-env', { key: 'HTTPS_PROXY', value })).status, 200)
  const install = async () => assert.equal((await world.post('/models/install', { repo_id: REPO })).status, 200)

  await set(address)
  await install()
  assert.equal(await eventually(() => reached[0]), 'models.invalid:443')
  assert.ok(!world.studio.output().includes('canary-password'))

  // Without it the next attempt of the same installation asks for the address of the server itself, which has none.
  const events = await fetch(`${world.url}/setup/download-stream`)
  await set('')
  assert.equal((await world.get('/system/info')).json().proxy_url, '')
  let text = ''
  for await (const piece of events.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('ENOTFOUND') || text.includes('EAI_AGAIN')) return
  }
  assert.fail(text)
})
