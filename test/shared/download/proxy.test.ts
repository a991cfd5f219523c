// Requests to other servers go through the proxy of the owner, also those that use a connection only once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, setGlobalProxyFromEnv } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createRace } from '#control-plane/features/base/settings/hub/race.ts'
import { reaches } from '#control-plane/features/operate/setup/reach.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

test('downloads, the comparison of servers and the check of the server use the proxy', async (t) => {
  const seen: string[] = []
  const proxy = createServer(({ url = '', headers }, response) => {
    seen.push(`${url} ${headers.connection}`)
    response.end('from the proxy')
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const restore = setGlobalProxyFromEnv({ HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` })
  t.after(() => {
    restore()
    proxy.closeAllConnections()
    proxy.close()
  })
  // Nothing listens on this port, so only the proxy can answer.
  const server = 'http://127.0.0.1:1'
  const fetch = createFetch({ base: new URL(server), token: null, clock, version: '0', stallMs: 5_000 })
  const { body } = await fetch(new URL('/model.bin', server), { signal: t.signal })
  assert.equal(await text(body), 'from the proxy')
  assert.equal((await createRace({ clock })([server])).reachable, true)
  assert.equal(await reaches(server, 5_000), true)
  assert.deepEqual(seen, [`${server}/model.bin close`, `${server}/ close`, `${server}/ close`])
})
