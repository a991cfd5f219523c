// Small requests that cost much: texts and numbers that blocked the event loop, and pauses that made hundreds of megabytes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { form } from '#test/support/world/http.ts'
import { cpuSeconds } from '#test/support/world/process.ts'
import { sharedWorld } from '#test/support/world/world.ts'

/** The most memory that a process had resident, in MiB. */
const peakMib = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const open = sharedWorld({ remote: true })

test('hostile texts', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  const world = await open()
  const pid = world.studio.pid
  const take = (fields: Parameters<typeof form>[0]) => world.send('POST', '/generate', form({ text: 'Hello.', engine: 'tone', ...fields }))
  const speak = (body: Record<string, unknown>) => world.post('/v1/audio/speech', { model: 'tone', response_format: 'pcm', ...body })

  await t.test('numbers and names of 60,000 characters are refused before anything reads them', async () => {
    const before = cpuSeconds(pid)
    for (const field of ['speed', 'duration', 'seed', 'stream', 'engine', 'language']) {
      const reply = await take({ [field]: `${'1'.repeat(60_000)}x` })
      assert.equal(reply.status, 422, field)
      assert.equal(reply.json().detail[0].type, 'string_too_long', field)
    }
    assert.ok(cpuSeconds(pid) - before < 3, `${cpuSeconds(pid) - before} s of processor time`)
  })

  await t.test('repeated abbreviations and sentence ends do not block the studio', async () => {
    for (const word of ['Mr. ', 'a? ', 'A. ']) {
      const before = cpuSeconds(pid)
      // Refused after the text was cut into sentences: there are too many for one request.
      const reply = await take({ text: word.repeat(50_000), max_chunk_chars: '1' })
      assert.ok([200, 400].includes(reply.status), reply.body.toString().slice(0, 300))
      assert.ok(cpuSeconds(pid) - before < 6, `${word}: ${cpuSeconds(pid) - before} s of processor time`)
    }
  })

  await t.test('pauses that no text can justify are refused before any work', async () => {
    const text = '[pause 60s]a'.repeat(200)
    const tasks = async () => (await world.get('/workers/tasks?limit=200')).json().tasks.length
    const before = await tasks()
    for (const reply of [await take({ text }), await take({ text, stream: 'true' }), await speak({ input: text })]) {
      assert.equal(reply.status, 400)
      assert.match(reply.json().detail, /The pauses add up to 12000 s\. They may add up to 10 minutes/)
    }
    assert.equal(await tasks(), before)
    // A task of the development route is refused by the agent, with the same rule.
    const segments = Array.from({ length: 200 }, () => ({ text: 'a', pause_after_ms: 60_000 }))
    assert.match((await world.task({ engine: 'tone', params: { segments } })).body.toString(), /The pauses add up to 12000 s/)
  })

  await t.test('pauses that the speech does not justify are refused when its length is known', async () => {
    // 160 characters may take 16 s or 160 s; the test voice takes 6.4 s.
    const text = 'One two three 4. [pause 60s] '.repeat(11)
    for (const reply of [await take({ text }), await speak({ input: text })]) {
      assert.equal(reply.status, 400)
      assert.match(reply.json().detail, /The pauses add up to 660 s/)
    }
  })

  await t.test('a long take does not occupy memory in proportion to its length', async () => {
    const before = peakMib(pid)
    const text = 'word '.repeat(4_000) // 800 s of the test voice, 25 MB
    const reply = await take({ text, effect_preset: 'raw', max_chunk_chars: '0' })
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    assert.ok(reply.body.length > 25e6)
    assert.ok(peakMib(pid) - before < 80, `${Math.round(peakMib(pid) - before)} MiB`)
    t.diagnostic(`${Math.round(before)} MiB before, ${Math.round(peakMib(pid))} MiB at most`)
  })

  await t.test('bodies of many small values are refused before they are parsed, and with a short answer', async () => {
    const list = (piece: string, count: number) => Array.from({ length: count }, () => piece).join(',')
    const fields = (count: number, value: string) => Array.from({ length: count }, (_, at) => `"${at}":${value}`).join(',')
    const bodies: [string, string][] = [
      ['/tools/incremental', `{"segments":[${list('{}', 2_000_000)}]}`],
      ['/tools/incremental', `{"segments":[],"stored_hashes":{${fields(290_000, '1')}}}`],
      ['/tools/incremental', `{"segments":[${list('{"id":{}}', 20_000)}]}`],
      ['/tools/incremental', `{"segments":[{"id":1,"text":{}}],"stored_hashes":{"${'x'.repeat(9_000_000)}":1}}`],
      ['/projects', `{"name":"x","state":{"a":[${list('[]', 4_000_000)}]}}`],
      ['/projects', `{"name":"x","state":{${fields(1_200_000, '0')}}}`],
      ['/projects', `{"name":"x","state":{"a":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}}`],
    ]
    // The server may have closed idle connections while the bodies were built; this process notices it in its next turns.
    for (let turns = 0; turns < 3; turns++) await turn()
    for (const [path, body] of bodies) {
      const before = cpuSeconds(pid)
      // A connection of its own: the studio closes idle ones, also in the moment in which a body of this size begins on them.
      const reply = await world.send('POST', path, body, { 'content-type': 'application/json', connection: 'close' })
      assert.equal(reply.status, 422, body.slice(0, 60))
      assert.ok(reply.body.length < 20_000, `${body.slice(0, 60)}: an answer of ${reply.body.length} bytes`)
      const seconds = cpuSeconds(pid) - before
      t.diagnostic(`${path} ${body.slice(0, 40)}: ${seconds} s of processor time`)
      assert.ok(seconds < 3, `${body.slice(0, 60)}: ${seconds} s of processor time`)
    }
  })
})
