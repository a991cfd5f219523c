// Invalid input is refused with a clear error, never with a 500 or a stack trace, and causes no loss.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { form, request } from '#test/support/world/http.ts'
import { type Reply, sharedWorld } from '#test/support/world/world.ts'

type Problem = { type: string; loc: (string | number)[]; msg: string; input: unknown; ctx?: Record<string, unknown> }

/** Every error response is a JSON object with a detail and contains nothing about internals. */
function assertClear({
  status,
  headers,
  body,
}: {
  status: number
  headers: Reply['headers'] | Record<string, unknown>
  body: Buffer
}): any {
  const text = body.toString()
  const type = headers instanceof Headers ? headers.get('content-type') : headers['content-type']
  assert.ok(status >= 400 && status < 500, `${status}: ${text.slice(0, 300)}`)
  assert.match(String(type), /^application\/json/)
  assert.doesNotMatch(text, /\bat .*\.[jt]s:\d+|node_modules|node:internal|\.ts\b/)
  assert.ok(text.length < 8000, `an answer of ${text.length} bytes`)
  const { detail } = JSON.parse(text)
  assert.ok(detail !== undefined && detail !== '', text)
  return detail
}

const open = sharedWorld()

test('invalid input', async (t) => {
  const world = await open()
  await world.delete('/history') // of earlier files
  const [from, linesBefore] = [world.studio.output().length, world.studio.lines().length]
  const raw = (
    body: string | Buffer,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    path = '/v1/audio/speech',
  ) => request(world.url + path, { method: 'POST', headers, body })
  const problems = async (body: unknown): Promise<Problem[]> => {
    const reply = await world.post('/v1/audio/speech', body)
    const detail = assertClear(reply)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.ok(Array.isArray(detail))
    for (const { type, loc, msg } of detail) assert.ok(type && loc.length > 0 && msg, JSON.stringify(detail))
    return detail
  }

  await t.test('each invalid field is reported once, with its location, kind and limit', async () => {
    for (const [body, type, loc, ctx] of [
      [{}, 'missing', ['input'], undefined],
      [{ input: '' }, 'string_too_short', ['input'], { min_length: 1 }],
      [{ input: ' \n\t' }, 'value_error', ['input'], undefined],
      [{ input: 'x'.repeat(4097) }, 'string_too_long', ['input'], { max_length: 4096 }],
      [{ input: 'a\0b' }, 'value_error', ['input'], undefined],
      [{ input: 5 }, 'string_type', ['input'], undefined],
      [{ input: null }, 'string_type', ['input'], undefined],
      [{ input: ['a'] }, 'string_type', ['input'], undefined],
      [{ input: 'a', speed: 0.24 }, 'greater_than_equal', ['speed'], { ge: 0.25 }],
      [{ input: 'a', speed: 4.01 }, 'less_than_equal', ['speed'], { le: 4 }],
      [{ input: 'a', speed: '1' }, 'float_type', ['speed'], undefined],
      [{ input: 'a', speed: null }, 'float_type', ['speed'], undefined],
      [{ input: 'a', model: 5 }, 'string_type', ['model'], undefined],
      [{ input: 'a', model: 'm'.repeat(65) }, 'string_too_long', ['model'], { max_length: 64 }],
      [{ input: 'a', voice: {} }, 'string_type', ['voice'], undefined],
      [{ input: 'a', response_format: 'ogg' }, 'literal_error', ['response_format'], undefined],
      [{ input: 'a', response_format: 7 }, 'literal_error', ['response_format'], undefined],
      [{ input: 'a', language: 7 }, 'string_type', ['language'], undefined],
      [{ input: 'a', description: [] }, 'string_type', ['description'], undefined],
      [{ input: 'a', instruct: false }, 'string_type', ['instruct'], undefined],
      [{ input: 'a', duration: 0 }, 'greater_than', ['duration'], { gt: 0 }],
      [{ input: 'a', duration: 'long' }, 'float_type', ['duration'], undefined],
      [{ input: 'a', seed: 1.5 }, 'int_type', ['seed'], undefined],
      [{ input: 'a', seed: '7' }, 'float_type', ['seed'], undefined],
      [{ input: 'a', denoise: 'yes' }, 'bool_type', ['denoise'], undefined],
      [{ input: 'a', preprocess_prompt: 1 }, 'bool_type', ['preprocess_prompt'], undefined],
      [{ input: 'a', num_step: 0 }, 'greater_than_equal', ['num_step'], { ge: 1 }],
      [{ input: 'a', num_step: 129 }, 'less_than_equal', ['num_step'], { le: 128 }],
      [{ input: 'a', guidance_scale: 0 }, 'greater_than', ['guidance_scale'], { gt: 0 }],
      [{ input: 'a', guidance_scale: 20.5 }, 'less_than_equal', ['guidance_scale'], { le: 20 }],
      [{ input: 'a', chunk_duration: -1 }, 'greater_than_equal', ['chunk_duration'], { ge: 0 }],
    ] as const) {
      const [problem, ...more] = await problems(body)
      const what = JSON.stringify(body).slice(0, 60)
      assert.deepEqual(more, [], what)
      assert.deepEqual([problem!.type, problem!.loc], [type, ['body', ...loc]], what)
      if (ctx) assert.deepEqual(problem!.ctx, ctx, what)
    }
  })

  await t.test('all problems are reported together, and long input is shortened', async () => {
    const found = await problems({ input: 'y'.repeat(5000), speed: 9, response_format: 'ogg' })
    assert.deepEqual(found.map(({ loc }) => loc[1]).sort(), ['input', 'response_format', 'speed'])
    assert.ok((found.find(({ loc }) => loc[1] === 'input')!.input as string).length <= 201)
    assert.match(String(found.find(({ loc }) => loc[1] === 'response_format')!.ctx?.['expected']), /'mp3'.*'pcm'/)
  })

  await t.test('a body that is not an object, or not JSON', async () => {
    for (const body of [[], null, 'text', 5, true]) assert.deepEqual((await problems(JSON.stringify(body)))[0]!.loc, ['body'])
    for (const body of [
      '',
      '{',
      '{"input":"a"',
      '{"input":"a"}}',
      "{'input':'a'}",
      '{"input":"a\u0001"}',
      '\u0000',
      '{"__proto__":{"input":"a"}}',
    ]) {
      const reply = await raw(body)
      assert.equal(assertClear(reply)[0].type, 'json_invalid', body)
      assert.equal(reply.status, 400)
    }
    assertClear(await raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])))
    assertClear(await raw(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))
  })

  await t.test('unpaired surrogates, in all positions', async () => {
    for (const half of ['\\ud800', '\\udc00', 'a\\udfff b']) {
      const reply = await raw(`{"input":"${half}"}`)
      assert.equal(reply.status, 400)
      assert.match(assertClear(reply)[0].msg, /surrogate/)
    }
    assert.equal((await raw('{"input":"\\ud83d\\ude00 fine"}')).status, 200)
    for (const field of ['model', 'language']) assertClear(await raw(`{"input":"a","${field}":"\\ud800"}`))
    // These fields are passed on; the result must be harmless.
    for (const field of ['voice', 'instruct', 'description', '\\ud800']) {
      for (const value of ['\\ud800', '\\u0000']) {
        const reply = await raw(`{"input":"a","response_format":"pcm","${field}":"${value}"}`)
        if (reply.status !== 200) assertClear(reply)
      }
    }
  })

  await t.test('an oversized body is refused without being read', async () => {
    const large = await raw(`{"input":"${'x'.repeat(10 * 1024 * 1024)}"}`)
    assert.equal(large.status, 413)
    assertClear(large)
    const lying = await request(`${world.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(2 ** 40) },
      body: '{',
    })
    assert.equal(lying.status, 413)
    const field = await world.send('POST', '/generate', form({ text: 'x'.repeat(2 * 1024 * 1024) }))
    assert.equal(field.status, 413)
    assertClear(field)
  })

  await t.test('an unsupported content type', async () => {
    for (const type of ['application/xml', 'multipart/form-data; boundary=x', 'image/png', '']) {
      const reply = await raw('{"input":"a"}', type ? { 'content-type': type } : {})
      assertClear(reply)
      assert.ok([400, 415, 422].includes(reply.status), `${type}: ${reply.status}`)
    }
    assertClear(await raw('{"input":"a"}', { 'content-type': 'text/plain' }))
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
      assertClear(await raw('{"text":"a"}', { 'content-type': type }, '/generate'))
    assertClear(await raw('', {}, '/generate'))
    assertClear(await raw('no parts', { 'content-type': 'multipart/form-data; boundary=x' }, '/generate'))
    assertClear(await raw('no boundary', { 'content-type': 'multipart/form-data' }, '/generate'))
    assertClear(
      await raw(
        '--x\r\ncontent-disposition: form-data; name="text"\r\n\r\ncut off',
        { 'content-type': 'multipart/form-data; boundary=x' },
        '/generate',
      ),
    )
  })

  await t.test('a body of another type, or one that is too large, is refused with the right type or size', async () => {
    for (const [path, type, needed] of [
      ['/projects', 'application/x-www-form-urlencoded', /Content-Type: application\/json/],
      ['/projects', 'text/plain', /Content-Type: application\/json/],
      ['/dub/upload', 'text/xml', /multipart\/form-data/],
    ] as const) {
      const reply = await world.send('POST', path, '{"name":"a","state":{}}', { 'content-type': type })
      assert.equal(reply.status, 422, `${path} ${type}`)
      assert.match(reply.json().detail[0].msg, needed, `${path} ${type}`)
    }
    const large = await world.post('/workers/target', { target: 'x'.repeat(9 * 1024 * 1024) })
    assert.deepEqual([large.status, large.json().detail], [413, 'The body is larger than 1 MiB.'])
  })

  await t.test('booleans of queries are read in one way, and a missing object is missing', async () => {
    for (const [path, query] of [
      ['/system/flush-memory', 'unload_model'],
      ['/watermark/settings', 'invisible'],
    ])
      for (const [word, status] of [
        ['True', 200],
        ['y', 200],
        ['t', 200],
        ['F', 200],
        ['n', 200],
        ['2', 422],
        ['', 422],
      ])
        assert.equal((await world.post(`${path}?${query}=${word}`)).status, status, `${path} ${word}`)
    assert.equal((await world.post('/watermark/settings?invisible=true')).status, 200)
    const [missing] = (await world.post('/projects', { name: 'a' })).json().detail
    assert.deepEqual([missing.type, missing.msg], ['missing', 'Field required'])
    const [list] = (await world.post('/projects', { name: 'a', state: [] })).json().detail
    assert.deepEqual([list.type, list.msg], ['model_attributes_type', 'Input should be an object'])
    for (const query of ['limit=many', 'limit=1&limit=2'])
      assert.equal((await world.get(`/jobs?${query}`)).json().detail[0].msg, 'Input should be a number', query)
  })

  await t.test('a hint does not contradict its message', async () => {
    const hintOf = async (path: string, body: unknown): Promise<string> => (await world.post(path, body)).json().hint
    assert.match(await hintOf('/api/auth/ws-ticket', { path: '/ws/events' }), /POST \/api\/auth\/session/)
    // Their messages say what to do.
    assert.equal(await hintOf('/export', { source_filename: 'a.wav', authorization: 'x' }), undefined)
    assert.equal(await hintOf('/export/reveal', { path: 'none' }), undefined)
  })

  await t.test('form fields', async () => {
    const long = 'x'.repeat(200_001)
    for (const [fields, type, field] of [
      [{ text: '' }, 'string_too_short', 'text'],
      [{ speed: 1 }, 'missing', 'text'],
      [{ text: '  ' }, 'value_error', 'text'],
      [{ text: long }, 'string_too_long', 'text'],
      [{ text: 'a\0' }, 'value_error', 'text'],
      [{ text: 'a', speed: 'abc' }, 'float_type', 'speed'],
      [{ text: 'a', speed: '0.24' }, 'greater_than_equal', 'speed'],
      [{ text: 'a', speed: '1e9' }, 'less_than_equal', 'speed'],
      [{ text: 'a', crossfade_ms: '1001' }, 'less_than_equal', 'crossfade_ms'],
      [{ text: 'a', max_chunk_chars: '-1' }, 'greater_than_equal', 'max_chunk_chars'],
      [{ text: 'a', max_chunk_chars: '1.5' }, 'int_type', 'max_chunk_chars'],
      [{ text: 'a', num_step: '0x10' }, 'float_type', 'num_step'],
      [{ text: 'a', seed: '1.5' }, 'int_type', 'seed'],
      [{ text: 'a', stream: 'maybe' }, 'literal_error', 'stream'],
      [{ text: 'a', ref_audio: 'RIFF' }, 'value_error', 'ref_audio'],
      [{ text: Buffer.from('a') }, 'string_type', 'text'],
      [{ text: 'a', instruct: Buffer.from('a') }, 'string_type', 'instruct'],
    ] as [Parameters<typeof form>[0], string, string][]) {
      const reply = await world.send('POST', '/generate', form(fields))
      const [problem] = assertClear(reply) as Problem[]
      assert.deepEqual([reply.status, problem!.type, problem!.loc], [422, type, ['body', field]])
    }
  })

  await t.test('unknown routes and methods', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['GET', '/v1/audio/speech'],
      ['DELETE', '/v1/audio/voices'],
      ['POST', '/health'],
      ['GET', '/%'],
      ['GET', '/%00'],
      ['GET', `/${'x'.repeat(10_000)}`],
    ] as const) {
      const reply = await request(world.url + path, { method })
      assertClear(reply)
      assert.ok([400, 404, 405, 414].includes(reply.status), `${method} ${path.slice(0, 30)}: ${reply.status}`)
    }
    for (const path of ['/workers/tasks?limit=abc', `/workers/target?op=${'x'.repeat(33)}`])
      assert.equal((await world.get(path)).status, 422, path)
  })

  await t.test('bytes that are not HTTP end the connection, not the studio', async () => {
    for (const bytes of [
      '\x16\x03\x01\x02\x00\x01\x00',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
    ]) {
      const { port } = new URL(world.url)
      const answer = await new Promise<string>((resolve) => {
        let text = ''
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes, 'latin1'))
        socket.on('data', (data) => {
          text += data
          socket.end()
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(text))
      })
      assert.match(answer, /^(HTTP\/1\.1 4\d\d |$)/)
    }
  })

  await t.test('afterwards the studio is healthy and its log contains no error', async () => {
    assert.equal((await world.post('/v1/audio/speech', { input: 'Still here.' })).status, 200)
    assert.deepEqual((await world.get('/history')).json(), [])
    const faults = world.studio
      .lines()
      .slice(linesBefore)
      .filter(({ level }) => (level as number) >= 50)
    assert.deepEqual(faults, [])
    assert.doesNotMatch(world.studio.output().slice(from), /\n\s+at .*:\d+:\d+/)
  })
})
