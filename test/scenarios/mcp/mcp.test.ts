// The MCP server through the official client of its SDK: the tools, the voice of a client, refusals, cancellation and the setting.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { connectMcp, eventsIn, INITIALIZE, MCP_HEADERS, openSession, textOf } from '#test/support/mcp/client.ts'
import { request } from '#test/support/world/http.ts'
import { allEnded, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

type Fields = Record<string, any>
const TOOLS = ['generate_speech', 'list_voices', 'list_personalities', 'list_languages', 'transcribe', 'check_health', 'clone_voice']
const KEY = 'a-key-of-more-than-sixteen-characters'
// The client gives up after 60 s by default, which a long text on a busy machine exceeded.
const BUSY_MS = 180_000
const LONG = 'Many words follow one another here and there. '.repeat(400)
const NO_RECOGNISER = findProgram('pocketsphinx_continuous', process.env['PATH']) ? false : 'pocketsphinx is not on this machine'
const silence = (seconds: number) => {
  const samples = seconds * 16_000
  return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
}

test('MCP', async (t) => {
  const world = await openWorld(t, { remote: true, env: { STUDIO_API_KEY: KEY } })
  const { client, transport } = await connectMcp(t, world)
  const call = async (name: string, input: Record<string, unknown> = {}, one = client) =>
    (await one.callTool({ name, arguments: input }, undefined, { timeout: BUSY_MS })) as CallToolResult
  const refusal = async (name: string, input: Record<string, unknown> = {}, one = client): Promise<string> => {
    const result = await call(name, input, one)
    assert.equal(result.isError, true, JSON.stringify(result).slice(0, 300))
    return textOf(result)
  }
  const bindings = () => world.get('/api/mcp/bindings').then((reply) => reply.json())

  await t.test('the client finds the seven tools, with schemas and instructions', async () => {
    assert.equal(client.getServerVersion()?.name, 'voice-studio')
    assert.match(client.getInstructions() ?? '', /Voice Studio/)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS,
    )
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      assert.equal(inputSchema.type, 'object')
      // The client checks every result in this file against it.
      assert.equal(outputSchema?.type, 'object', name)
      assert.ok(Object.keys(outputSchema.properties ?? {}).length >= 2, name)
      assert.ok(description!.endsWith('.'), name)
      assert.equal(typeof annotations?.readOnlyHint, 'boolean')
    }
    assert.deepEqual(tools[0]!.inputSchema.required, ['text'])
  })

  await t.test('generate_speech makes a take of the history and returns a link to it', async () => {
    const result = await call('generate_speech', { text: 'Hello there.', engine: 'tone', seed: 7, include_audio: true })
    const fields = result.structuredContent as Fields
    assert.deepEqual(JSON.parse(textOf(result)), fields)
    assert.equal(fields['seed'], 7)
    assert.equal(fields['voice_source'], 'none')
    assert.match(fields['notice'], /test tone/i)
    const [, link, audio] = result.content
    assert.deepEqual(link, {
      type: 'resource_link',
      uri: fields['audio_url'],
      name: `${fields['audio_id']}.wav`,
      mimeType: 'audio/wav',
      size: fields['audio_bytes'],
    })
    const file = Buffer.from(await (await fetch(fields['audio_url'])).arrayBuffer())
    assert.equal(file.length, fields['audio_bytes'])
    assert.equal(parseWav(file).sampleRate, fields['sample_rate'])
    assert.ok(audio?.type === 'audio' && Buffer.from(audio.data, 'base64').equals(file))
    const [row] = (await world.get('/history')).json()
    assert.deepEqual([row.id, row.text, row.engine], [fields['audio_id'], 'Hello there.', 'tone'])
  })

  await t.test('a file of more than 1 MiB is a link only, and the answer says so', async () => {
    const { structuredContent, content } = await call('generate_speech', {
      text: 'word '.repeat(200), // 40 s of the test voice
      engine: 'tone',
      include_audio: true,
    })
    assert.ok((structuredContent as Fields)['audio_bytes'] > 1024 ** 2)
    assert.match((structuredContent as Fields)['audio_omitted'], /1 MiB/)
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text', 'resource_link'],
    )
  })

  await t.test('progress rises while a take is made', async () => {
    const seen: Progress[] = []
    await client.callTool({ name: 'generate_speech', arguments: { text: 'word '.repeat(400), engine: 'tone' } }, undefined, {
      onprogress: (progress) => seen.push(progress),
    })
    assert.ok(seen.length > 0)
    const began = seen.findIndex(({ message }) => message === 'running')
    assert.ok(!seen.slice(began).some(({ message }) => message === 'queued'), `${seen.map(({ message }) => message)}`)
    for (const [at, { progress, total }] of seen.entries()) {
      assert.equal(total, 1)
      assert.ok(at === 0 || progress > seen[at - 1]!.progress, JSON.stringify(seen))
    }
  })

  await t.test('transcribe takes base64 and data URLs, and leaves no file behind', { skip: NO_RECOGNISER }, async () => {
    const audio = silence(1).toString('base64')
    for (const audio_base64 of [audio, `data:audio/wav;base64,${audio}`]) {
      const { structuredContent: fields } = (await call('transcribe', { audio_base64 })) as { structuredContent: Fields }
      assert.deepEqual([fields['text'], fields['engine']], ['', 'pocketsphinx'])
    }
    for (const audio_base64 of ['', 'not base64 at all!', Buffer.from('no sound').toString('base64')])
      assert.match(await refusal('transcribe', { audio_base64 }), /audio_base64|recording/)
    assert.deepEqual(readdirSync(join(world.dataDir, 'uploads')), [])
  })

  await t.test('the lists name voices, languages and the state of the studio', async () => {
    const voices = (await call('list_voices', { engine: 'tone' })).structuredContent as Fields
    assert.deepEqual(voices['voices'], [{ id: 'tone', name: 'Test tone', language: '*', engine: 'tone', type: 'preset' }])
    const languages = (await call('list_languages')).structuredContent as Fields
    assert.ok(languages['engines'].some(({ engine, any_language }: Fields) => engine === 'tone' && any_language))
    const personalities = (await call('list_personalities')).structuredContent as Fields
    const rows = (await world.get('/personalities')).json() as Fields[]
    assert.deepEqual(
      personalities['personalities'].map(({ id, instruct }: Fields) => [id, instruct]),
      rows.map(({ id, instruct }) => [id, instruct]),
    )
    assert.equal(personalities['total'], 13)
    const health = (await call('check_health')).structuredContent as Fields
    assert.deepEqual([health['status'], health['recognition'], health['machines']], ['ok', { available: true }, 1])
  })

  await t.test('a text in SSML is spoken as it says, with or without its root element', async () => {
    const milliseconds = async (fields: Fields) =>
      Math.round(1000 * ((await call('generate_speech', { engine: 'tone', ...fields })).structuredContent as Fields)['audio_duration_s'])
    const plain = await milliseconds({ text: 'Aaaabbbb' })
    const paused = plain + 500
    assert.equal(await milliseconds({ text: '<speak>Aaaa<break time="500ms"/>bbbb</speak>' }), paused)
    assert.equal(await milliseconds({ text: 'Aaaa<break time="500ms"/>bbbb', text_format: 'ssml' }), paused)
    assert.ok((await milliseconds({ text: '<speak>Aaaa</speak>', text_format: 'text' })) > plain)
  })

  await t.test('what this version cannot do is an error with the way out', async () => {
    assert.match(await refusal('clone_voice', { name: 'Ann', ref_audio_base64: 'UklGRg==' }), /recording/)
  })

  await t.test('wrong input is an error of the tool, and names the field', async () => {
    assert.match(await refusal('generate_speech', {}), /text/)
    // Two sentences of different origin, and no hint that only repeats the first one.
    for (const fields of [{ text: '' }, { text: 'hi', speed: 9 }, { text: 5 }]) {
      const words = await refusal('generate_speech', fields)
      assert.doesNotMatch(words, /[^.!?)\]"] (?:The request|Correct)|request is invalid/, words)
    }
    const full = await refusal('transcribe', { audio_base64: Buffer.from('no sound at all').toString('base64') })
    assert.doesNotMatch(full, /\.\.|described in the message/, full)
    assert.match(await refusal('generate_speech', { text: '<speak><audio src="a"/></speak>', engine: 'tone' }), /SSML.*<audio>/)
    assert.match(await refusal('generate_speech', { text: 'a'.repeat(200_001) }), /200000/)
    assert.match(await refusal('generate_speech', { text: 'hi', engine: 'nothing' }), /Unknown model 'nothing'/)
    assert.match(await refusal('generate_speech', { text: 'hi', profile_id: 'ghost' }), /no voice 'ghost'.*list_voices/s)
    await assert.rejects(client.callTool({ name: 'nothing' }), /There is no tool nothing/)
    await assert.rejects(client.callTool({ name: 'constructor' }), /There is no tool/)
  })

  await t.test('a client gets the voice and engine that the owner chose for its id, and is recorded as seen', async (t) => {
    const bound = await world.put('/api/mcp/bindings', { client_id: 'editor', label: 'Editor', profile_id: 'tone', default_engine: 'tone' })
    assert.equal(bound.status, 200)
    assert.equal(bound.json().last_seen_at, null)
    const { client: editor } = await connectMcp(t, world, { 'x-svc-client-id': 'editor' })
    const own = (await call('generate_speech', { text: 'Mine.' }, editor)).structuredContent as Fields
    assert.deepEqual([own['voice'], own['voice_source'], own['engine']], ['tone', 'client', 'tone'])
    const named = (await call('generate_speech', { text: 'Other.', profile_id: 'default' }, editor)).structuredContent as Fields
    assert.deepEqual([named['voice'], named['voice_source']], ['tone', 'call'])
    assert.ok(Math.abs((await bindings())[0].last_seen_at - Date.now() / 1000) < 60)
    await world.put('/api/mcp/bindings', { client_id: 'editor', profile_id: 'gone' })
    assert.match(await refusal('generate_speech', { text: 'Mine.' }, editor), /no voice 'gone'.*The owner chose it for this client/s)
    await world.put('/api/settings/values/mcp_default_profile_id', { value: 'tone' })
    const other = (await call('generate_speech', { text: 'Yours.', engine: 'tone' })).structuredContent as Fields
    assert.deepEqual([other['voice'], other['voice_source']], ['tone', 'default'])
    await world.put('/api/settings/values/mcp_default_profile_id', { value: '' })
  })

  await t.test('the routes of the bindings follow the specification', async () => {
    const put = (body: unknown) => world.put('/api/mcp/bindings', body)
    assert.deepEqual((await put({ client_id: 'editor', label: null, default_engine: '' })).json(), {
      ...(await bindings())[0],
      client_id: 'editor',
      label: 'Editor',
      profile_id: 'gone',
      default_engine: null,
    })
    for (const [body, status] of [
      [{ client_id: '' }, 422],
      [{ client_id: 'x'.repeat(129) }, 422],
      [{}, 422],
      [{ client_id: 'x', label: 7 }, 422],
      [{ client_id: ' \t' }, 400],
      [{ client_id: 'a\nb' }, 400],
      [{ client_id: 'a\u0000b' }, 400],
    ] as const)
      assert.equal((await put(body)).status, status, JSON.stringify(body))
    const long = '漢'.repeat(128)
    for (const client_id of ['second', long, 'third']) assert.equal((await put({ client_id })).json().client_id, client_id)
    assert.deepEqual(
      (await bindings()).map((row: Fields) => row['client_id']),
      ['editor', 'third', long, 'second'],
    )
    for (const id of [long, 'third'])
      assert.deepEqual((await world.delete(`/api/mcp/bindings/${encodeURIComponent(id)}`)).json(), { deleted: id })
    assert.equal((await world.delete('/api/mcp/bindings/third')).status, 404)
    const away = { 'x-forwarded-for': '192.0.2.1' }
    for (const [method, path] of [
      ['GET', '/api/mcp/bindings'],
      ['PUT', '/api/mcp/bindings'],
      ['DELETE', '/api/mcp/bindings/second'],
    ] as const)
      assert.equal((await world.send(method, path, undefined, { ...away, authorization: `Bearer ${KEY}` })).status, 403, method)
  })

  await t.test('the gates are those of every route', async () => {
    const send = (headers: Record<string, string>) =>
      request(`${world.url}/mcp`, { method: 'POST', headers: { ...MCP_HEADERS, ...headers }, body: JSON.stringify(INITIALIZE) })
    const away = { 'x-forwarded-for': '192.0.2.1' }
    assert.equal((await send({ host: 'evil.example' })).status, 403, 'DNS rebinding')
    assert.equal((await send({ origin: 'https://evil.example' })).status, 403)
    assert.equal((await send({ 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await send(away)).status, 401)
    assert.equal((await send({ ...away, authorization: 'Bearer wrong-key-wrong-key' })).status, 401)
    assert.equal((await send({ ...away, authorization: `Bearer ${KEY}` })).status, 200)
    assert.equal((await send({})).status, 200)
  })

  await t.test('a session belongs to the proof that opened it, and ends on request', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const withKey = await openSession(world, { authorization: `Bearer ${KEY}` })
    const { authorization: _, ...replayed } = withKey
    assert.equal((await world.send('POST', '/mcp', list, replayed)).status, 404)
    assert.equal((await world.send('DELETE', '/mcp', undefined, replayed)).status, 404)
    assert.equal(eventsIn((await world.send('POST', '/mcp', list, withKey)).body.toString())[0].result.tools.length, TOOLS.length)
    const { 'content-type': __, ...ending } = withKey
    assert.equal((await world.send('DELETE', '/mcp', undefined, ending)).status, 204)
    const gone = await world.send('POST', '/mcp', list, withKey)
    assert.deepEqual([gone.status, gone.json().error.code], [404, -32_001])
  })

  await t.test('a sign-in that ends takes its sessions along', async (t) => {
    slowHosts(t, world.studio)
    const signIn = await world.send('POST', '/api/auth/session', { transport: 'bearer' }, { authorization: `Bearer ${KEY}` })
    const authorization = `Bearer ${signIn.json().token}`
    const session = await openSession(world, { authorization })
    const running = world.send(
      'POST',
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 5,
        method: 'tools/call',
        params: { name: 'generate_speech', arguments: { text: LONG, engine: 'tone' } },
      },
      session,
    )
    await eventually(async () => (await tasksOf(world))[0]!.state === 'running')
    await world.send('DELETE', '/api/auth/session', undefined, { authorization })
    await running.catch(() => {}) // cut, or ended with an error
    assert.equal((await allEnded(world))[0]!.state, 'cancelled')
    const { authorization: _, ...replayed } = session
    assert.equal((await world.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, replayed)).status, 404)
  })

  await t.test('a call ends when the client cancels it, and when it disconnects', async (t) => {
    slowHosts(t, world.studio)
    const long = { name: 'generate_speech', arguments: { text: LONG, engine: 'tone' } }
    const started = (before: number) =>
      eventually(async () => (await tasksOf(world)).length > before && (await tasksOf(world))[0]!.state === 'running')
    const count = async () => (await tasksOf(world)).length
    const before = await count()
    const stop = new AbortController()
    const cancelled = client.callTool(long, undefined, { signal: stop.signal })
    await started(before)
    stop.abort()
    await assert.rejects(cancelled)
    assert.equal((await allEnded(world))[0]!.state, 'cancelled')
    assert.equal((await call('check_health')).isError, undefined, 'the session goes on')

    const { client: other } = await connectMcp(t, world)
    const now = await count()
    const cut = other.callTool(long)
    cut.catch(() => {})
    await started(now)
    await other.close()
    assert.equal((await allEnded(world))[0]!.state, 'cancelled')
  })

  await t.test('an address that ends with a slash is the same server', async (t) => {
    const { client: other } = await connectMcp(t, world, {}, '/mcp/')
    assert.equal((await other.listTools()).tools.length, TOOLS.length)
    assert.equal((await world.send('GET', '/mcp/', undefined)).status, 405)
  })

  await t.test('what is not a message of a session is refused', async () => {
    const session = await openSession(world)
    const send = (body: unknown, headers = session) => world.send('POST', '/mcp', body, headers)
    assert.equal((await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, MCP_HEADERS as never)).status, 400, 'no session')
    assert.equal((await send([INITIALIZE], MCP_HEADERS as never)).status, 400)
    assert.equal((await send(INITIALIZE)).status, 400, 'initialized twice')
    assert.equal((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
    assert.equal((await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } })).status, 202)
    for (const body of ['', '{', '[]', '7', 'null', '{"jsonrpc":"1.0","id":1}', { jsonrpc: '2.0', id: 'x'.repeat(129), method: 'ping' }])
      assert.ok([400, 422].includes((await send(body)).status), JSON.stringify(body))
    assert.equal(
      (await world.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { ...session, accept: 'application/json' })).status,
      406,
    )
    const get = await world.send('GET', '/mcp', undefined, { accept: 'text/event-stream' })
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'DELETE, POST'])
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    assert.equal((await send([ping(1), ping(1)])).status, 400, 'the same id twice')
    assert.equal((await send(Array.from({ length: 17 }, (_, id) => ping(id)))).status, 422)
    const batch = eventsIn((await send([ping(1), ping(2)])).body.toString())
    assert.deepEqual(batch.map(({ id }) => id).sort(), [1, 2])
    assert.equal((await send({ ...ping(3), params: { filler: 'x'.repeat(4 * 1024 ** 2) } })).status, 413)
  })

  await t.test('the server is turned off and on by a setting, and a restart ends the sessions', async () => {
    const set = (value: boolean) => world.put('/api/settings/values/mcp.enabled', { value })
    assert.equal((await set(false)).status, 200)
    await assert.rejects(client.listTools(), /turned off/)
    const off = await world.send('POST', '/mcp', INITIALIZE, MCP_HEADERS)
    assert.deepEqual([off.status, /mcp\.enabled/.test(off.json().detail)], [404, true])
    await set(true)
    await assert.rejects(client.listTools(), /does not exist or has ended/)
    const session = await openSession(world)
    await world.restart('SIGKILL', { STUDIO_MCP_ENABLED: '0' })
    assert.equal((await world.send('POST', '/mcp', INITIALIZE, MCP_HEADERS)).status, 404)
    // Sorted, because their order is that of their last calls.
    assert.deepEqual((await bindings()).map((row: Fields) => row['client_id']).sort(), ['editor', 'second'])
    await world.restart('SIGTERM', { STUDIO_MCP_ENABLED: '' })
    assert.equal((await world.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status, 404)
    await openSession(world)
    assert.ok(transport.sessionId)
  })
})
