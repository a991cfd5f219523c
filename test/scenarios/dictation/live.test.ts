// `/ws/transcribe` through the real studio: texts, pauses, formats, refusals, and clients that misbehave.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { plantedStreaming } from '#test/agent/engine/runtimes/sherpa/planted-streaming.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { hostsOf, isAlive } from '#test/support/world/tasks.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'
import { connect, embeddedSpeech, silence } from './live-client.ts'

const env: Record<string, string> = {}
const open = sharedWorld({ env })
// After the world, which ends before its folder is removed.
env['STUDIO_DATA_DIR'] = temporaryFolder({ after })
placeModel(join(env['STUDIO_DATA_DIR'], 'local-agent/models'), SHERPA_ID, 'zipformer-en-20m', plantedStreaming())
const PCM = 'pcm=1&sr=24000&model=tone'
const HEARD = 'this is a test recording'
const TONE = 'This is a test recording.'
const SAID = 'She bought some bread and milk at the store.'
const THEN = 'We will meet again next Monday morning.'
const missing = (...programs: string[]) => {
  const absent = programs.filter((name) => !findProgram(name, process.env['PATH']))
  return absent.length > 0 && `${absent.join(' and ')} not on this machine; ./studio setup installs it`
}
const pause = (seconds: number, rate: number) => Buffer.alloc(seconds * rate * 2)

test('the words of a dictation arrive during the speech, and are final after a pause and at the end', async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, `${SAID} ${THEN}`)
  const client = await connect(world, PCM)
  await client.speak(speech, 4)
  await client.until(({ type }) => type === 'partial')
  await client.speak(pause(3.5, 24_000), 4)
  const first = await client.until(({ type }) => type === 'final')
  assert.equal(first.final_kind, 'utterance')
  await client.speak(speech, 20)
  await client.send('EOF')
  const [code] = await client.closed
  assert.equal(code, 1000)

  const [loading, ready, partial] = client.received
  assert.deepEqual(loading, { type: 'status', stage: 'loading' })
  assert.equal(ready!.stage, 'ready')
  assert.equal(ready!.engine, 'tone')
  assert.match(ready!.notice!, /test tone/, 'the substitute is named')
  assert.deepEqual(partial, { type: 'partial', text: HEARD })
  const finals = client.received.filter(({ type }) => type === 'final')
  assert.deepEqual(
    finals.map((final) => [final.final_kind, final.text]),
    [
      ['utterance', TONE],
      ['utterance', TONE],
      ['summary', `${TONE} ${TONE}`],
    ],
  )
  const [one, two, whole] = finals
  assert.equal(one!.language, 'en')
  const spoken = speech.length / 2 / 24_000
  assert.ok(Math.abs(one!.duration_s! - spoken) < 1, `${one!.duration_s} of ${spoken} s`)
  assert.ok(two!.segments![0]!.start >= one!.segments![0]!.end, 'times count from the start of the dictation')
  assert.deepEqual(whole!.segments, [...one!.segments!, ...two!.segments!])
})

test('a dictation without a pause has one final text, and silence has an empty one', async () => {
  const world = await open()
  const client = await connect(world, PCM)
  await client.send(await embeddedSpeech(world, SAID))
  await client.send(new Uint8Array(0))
  const final = await client.until(({ type }) => type === 'final')
  assert.equal(final.text, TONE)
  assert.equal('final_kind' in final, false)
  await client.closed

  const quiet = await connect(world, 'pcm=1&model=tone')
  await quiet.send(silence(5))
  await quiet.send('EOF')
  const nothing = await quiet.until(({ type }) => type === 'final')
  assert.deepEqual([nothing.text, nothing.segments, nothing.duration_s, nothing.language], ['', [], 0, 'unknown'])
  await quiet.closed
})

test('pocketsphinx writes down speech without a download', { skip: missing('pocketsphinx_continuous') }, async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, `${SAID} ${THEN}`, 'rms')
  const client = await connect(world, 'pcm=1&sr=24000&model=pocketsphinx')
  await client.speak(Buffer.concat([pause(1, 24_000), speech, pause(1, 24_000)]), 2)
  await client.send('EOF')
  const final = await client.until(({ type }) => type === 'final')
  const ready = client.received.find(({ stage }) => stage === 'ready')!
  assert.equal(ready.engine, 'pocketsphinx')
  assert.equal(final.engine, 'pocketsphinx')
  const expected = plainWords(`${SAID} ${THEN}`)
  const errors = wordErrors(expected, plainWords(final.text!))
  assert.ok(errors / expected.length <= 0.35, `${errors} errors in "${final.text}"`)
  assert.ok(final.segments![0]!.start > 0.5, 'the times include the silence before the speech')
})

test('a streaming model returns text word by word', async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, `${SAID} ${THEN}`)
  const client = await connect(world, 'pcm=1&sr=24000')
  const texts = () => client.received.flatMap(({ type, text }) => (type === 'partial' ? [text!] : []))
  // More is said only after a text of what was said, because a studio that is behind leaves out partial texts.
  const piece = Math.floor(speech.length / 10) * 2
  for (let at = 0; at < 4; at++) {
    await client.send(speech.subarray(at * piece, (at + 1) * piece))
    await client.until(() => texts().length > at)
  }
  await client.send(Buffer.concat([speech.subarray(4 * piece), pause(1, 24_000)]))
  await client.send('EOF')
  const final = await client.until(({ type }) => type === 'final')
  const ready = client.received.find(({ stage }) => stage === 'ready')!
  assert.equal(ready.notice, 'The model sherpa-whisper-tiny is not installed, so sherpa-onnx-asr (zipformer-en-20m) was used.')
  const partials = texts()
  assert.ok(partials.length >= 4, `${partials.length} partial texts in ${speech.length / 48_000} s`)
  for (const [at, text] of partials.entries()) assert.ok(text.startsWith(partials[at - 1] ?? ''), `${partials[at - 1]} -> ${text}`)
  const said = final.text!.toLowerCase()
  assert.ok(said.startsWith(partials.at(-1)!) && /^l[ai] l[ai] l[ai]/.test(said), final.text)
})

test('WebM with Opus is decoded while it arrives', { skip: missing('ffmpeg') }, async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, `${SAID} ${THEN}`)
  const args = ['-loglevel', 'error', '-f', 's16le', '-ar', '24000', '-ac', '1', '-i', 'pipe:0', '-c:a', 'libopus', '-f', 'webm', 'pipe:1']
  const webm = spawnSync('ffmpeg', args, { input: speech, maxBuffer: 2 ** 24 }).stdout
  const client = await connect(world, 'model=tone')
  for (let at = 0; at < webm.length; at += 4_000) await client.send(webm.subarray(at, at + 4_000))
  await client.send('EOF')
  const final = await client.until(({ type }) => type === 'final')
  assert.equal(final.text, TONE)
  assert.ok(Math.abs(final.duration_s! - speech.length / 48_000) < 1, `${final.duration_s}`)

  const broken = await connect(world, 'model=tone')
  await broken.send(Buffer.from('no recording at all '.repeat(500)))
  await broken.send('EOF')
  const error = await broken.until(({ type }) => type === 'error')
  assert.equal(error.kind, 'transcribe')
  assert.match(error.message!, /^The audio cannot be read: /)
  assert.equal((await broken.closed)[0], 1000)
})

test('refusals name what is wrong and what to do', async () => {
  const world = await open()
  const refusal = async (query: string) => {
    const client = await connect(world, query)
    const error = await client.until(({ type }) => type === 'error')
    await client.closed
    return error
  }
  const absent = await refusal('pcm=1&model=sherpa-zipformer-zh-14m')
  assert.equal(absent.kind, 'asr_model_missing')
  assert.match(absent.message!, /sherpa-zipformer-zh-14m is not installed\. Install it with \.\/studio models install csukuangfj/)
  assert.equal(absent.detail!.error, 'asr_model_missing')
  assert.equal(absent.detail!.recommended.dictation_id, 'sherpa-zipformer-zh-14m')
  assert.match((await refusal('pcm=1&model=nonsense')).message!, /Unknown dictation model 'nonsense'\. Use one of sherpa-/)

  // What GET /dictation/prefs answers to clients, which send it back.
  const { model_id } = (await world.get('/dictation/prefs')).json()
  for (const name of [model_id, model_id.replace('sherpa-', '')]) {
    const client = await connect(world, `pcm=1&model=${name}`)
    const ready = await client.until(({ stage }) => stage === 'ready')
    assert.ok(ready.notice?.startsWith(`The model ${model_id} is not installed, so `), ready.notice)
    await client.send('EOF')
    await client.closed
  }
  await world.post('/dictation/prefs', { model_id })
  assert.equal((await refusal(`pcm=1&model=${model_id}`)).kind, 'asr_model_missing', 'the owner selected it')

  for (const sr of ['7999', '96001', 'x', '', '1e4', '16000.5']) {
    const { kind, message } = await refusal(`pcm=1&model=tone&sr=${sr}`)
    assert.equal(kind, 'load')
    assert.match(message!, /^The parameter sr is invalid/)
  }
})

test('a language model refines final texts, and its failure changes nothing', async (t) => {
  const world = await open()
  let status = 200
  let isSilent = false
  const prompts: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      prompts.push(body)
      if (isSilent) return
      const content = 'This is a test, recorded.'
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          id: '1',
          object: 'chat.completion',
          model: 'm',
          choices: [{ index: 0, message: { role: 'assistant', content } }],
        }),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  assert.equal((await world.put('/api/settings/llm-endpoint', { base_url, model: 'm' })).status, 200)

  const speech = await embeddedSpeech(world, SAID)
  const dictated = async () => {
    const client = await connect(world, PCM)
    await client.send(speech)
    await client.send('EOF')
    const final = await client.until(({ type }) => type === 'final')
    await client.closed
    return final
  }
  const refined = await dictated()
  assert.deepEqual([refined.text, refined.refined_text], [TONE, 'This is a test, recorded.'])
  assert.ok(prompts[0]!.includes(TONE))
  status = 500
  const plain = await dictated()
  assert.deepEqual([plain.text, 'refined_text' in plain], [TONE, false])
  const lastStatus = async () => {
    const { ok, reason } = (await world.get('/api/settings/dictation-refinement')).json().last_refine_status
    return [ok, reason]
  }
  assert.deepEqual(await lastStatus(), [false, 'error'])
  const uploaded = async (refine?: string) => {
    const form = new FormData()
    form.set('audio', new Blob([wavHeader({ sampleRate: 24_000, channels: 1, samples: speech.length / 2 }), speech]), 'a.wav')
    if (refine !== undefined) form.set('refine', refine)
    const reply = await world.post('/transcribe', form)
    assert.equal(reply.status, 200, reply.body.toString())
    return reply.json()
  }
  assert.equal('refined_text' in (await uploaded('1')), false, 'the model failed')
  status = 200
  await world.put('/api/settings/values/dictation.refine_seconds', { value: 0.5 })
  isSilent = true
  assert.equal('refined_text' in (await dictated()), false)
  assert.deepEqual(await lastStatus(), [false, 'timeout'])
  isSilent = false
  await world.put('/api/settings/values/dictation.refine_seconds', { value: 60 })
  await world.put('/api/settings/dictation-refinement', { auto: false })
  assert.equal('refined_text' in (await dictated()), false)
  assert.equal('refined_text' in (await uploaded()), false)
  assert.equal('refined_text' in (await uploaded('off')), false)
  const before = prompts.length
  const asked = await uploaded('Yes')
  assert.equal(asked.refined_text, 'This is a test, recorded.')
  assert.notEqual(asked.text, asked.refined_text)
  assert.equal(prompts.length, before + 1)
})

test('a socket speaks one text after the other and sends audio during synthesis', async () => {
  const world = await open()
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/tts`)
  const received: (Buffer | Record<string, unknown>)[] = []
  let isDone = (_count: number) => {}
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    received.push(isBinary ? data : (JSON.parse(data.toString()) as Record<string, unknown>))
    isDone(received.filter((one) => !Buffer.isBuffer(one) && ['done', 'error'].includes(one['type'] as string)).length)
  })
  await once(socket, 'open')
  const say = (message: string | Buffer) => socket.send(message, () => {})
  const answers = (wanted: number) =>
    new Promise<void>((resolve) => {
      isDone = (count) => count === wanted && resolve()
    })
  const all = answers(6)
  say(JSON.stringify({ text: 'Hello there.', engine: 'tone', speed: 1, emo_joy: 0.5 }))
  say(JSON.stringify({ text: 'Good morning.', engine: 'tone', voice: null }))
  for (const wrong of ['no json', '{"text":""}', JSON.stringify({ text: 'x', engine: 'nonsense' })]) say(wrong)
  say(Buffer.from('bytes'))
  await all
  const kinds = received.map((one) => (Buffer.isBuffer(one) ? 'pcm' : (one['type'] as string)))
  const line = kinds.filter((kind, at) => kind !== 'pcm' || kinds[at - 1] !== 'pcm')
  const one = ['routing', 'start', 'pcm', 'done']
  assert.deepEqual(line, [...one, ...one, 'error', 'error', 'error', 'error'])
  const texts = received.flatMap((message) => (Buffer.isBuffer(message) ? [] : [message]))
  assert.match(texts[0]!['reason'] as string, /test tone/i)
  assert.deepEqual(texts[0]!['ignored_fields'], ['emo_joy'])
  assert.deepEqual(texts[1], { type: 'start', sample_rate: 24_000, channels: 1, format: 'pcm16', engine: 'tone', voice: 'tone' })
  const { duration, gen_time, ttfa_ms, rtf } = texts[2]! as Record<string, number>
  const bytes = received.slice(0, kinds.indexOf('done')).reduce((sum, each) => sum + (Buffer.isBuffer(each) ? each.length : 0), 0)
  assert.ok(Math.abs(duration! - bytes / 48_000) < 0.01 && gen_time! > 0 && rtf! > 0 && ttfa_ms! <= gen_time! * 1000 + 10)
  const details = texts.filter((message) => message['type'] === 'error').map((message) => message['detail'])
  assert.match(details[0] as string, /^The message is not a JSON object/)
  assert.match(details[1] as string, /^The field text is invalid: /)
  assert.match(details[2] as string, /^Unknown model 'nonsense'/)
  assert.match(details[3] as string, /^Send a text message with JSON/)

  const closed = once(socket, 'close') as Promise<[number]>
  say('x'.repeat(70_000))
  assert.equal((await closed)[0], 1009)
})

test('a client that sends without end, or does not read, is slowed down and holds little memory', async () => {
  const world = await open()
  const megabyte = Buffer.alloc(1024 * 1024)
  // It never reaches the end of the loading, because nothing of its answers is read.
  const { port } = new URL(world.url)
  const frozen = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const raw = connectTcp(Number(port), '127.0.0.1')
      raw.on('error', () => {})
      raw.write(
        `GET /ws/transcribe?${PCM} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      )
      await once(raw, 'readable')
      raw.pause()
      return raw
    }),
  )
  let taken = 0
  // A binary frame of one mebibyte with a mask of zeros.
  const header = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0])
  const until = performance.now() + 2_000
  await Promise.all(
    frozen.map(async (raw) => {
      while (performance.now() < until) {
        const isRoom = raw.write(Buffer.concat([header, megabyte]))
        taken++
        if (!isRoom) await Promise.race([once(raw, 'drain'), new Promise((resolve) => setTimeout(resolve, 500))])
        if (raw.writableLength > 2 * megabyte.length) break
      }
    }),
  )
  const pid = world.studio.pid
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  for (const raw of frozen) raw.destroy()
  assert.ok(taken < 400, `${taken} MiB were accepted in two seconds`)
  assert.ok(resident < 700, `${Math.round(resident)} MiB after ${taken} MiB`)
  const next = await connect(world, PCM)
  await next.until(({ stage }) => stage === 'ready')
  next.socket.terminate()
})

test('engine hosts and the local agent that die during a dictation cost no words', async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, `${SAID} ${THEN}`)
  const client = await connect(world, PCM)
  await client.until(({ stage }) => stage === 'ready')
  const talking = client.speak(Buffer.concat([speech, pause(3.5, 24_000), speech]), 3)
  await client.until(({ type }) => type === 'partial')
  const agent = world.studio.lines().findLast(({ msg }) => msg === 'the local agent was started')?.['pid'] as number
  for (const pid of [...hostsOf(world.studio).filter(isAlive), agent]) process.kill(pid, 'SIGKILL')
  await talking
  await client.send('EOF')
  await client.closed
  const texts = client.received.filter(({ type }) => type === 'final' || type === 'error').map((message) => message.text ?? message.message)
  assert.deepEqual(texts, [TONE, TONE, `${TONE} ${TONE}`])
})

test('too many dictations are refused, and an oversized message closes one', async () => {
  const world = await open()
  const clients = await Promise.all(Array.from({ length: 33 }, () => connect(world, PCM)))
  const codes = await Promise.race([Promise.all(clients.map(({ closed }) => closed)), Promise.any(clients.map(({ closed }) => closed))])
  assert.equal(codes[0], 1013)
  for (const { socket } of clients) socket.terminate()
  const large = await connect(world, PCM)
  await large.send(Buffer.alloc(1024 * 1024 + 1))
  assert.equal((await large.closed)[0], 1009)
})
