// Translation services against local servers that answer and fail as the documentation of each service says.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createAnswerStore } from '#control-plane/features/listening/translation/answers.store.ts'
import { createTranslatorChoice } from '#control-plane/features/listening/translation/providers/choose.ts'
import { DEEPL } from '#control-plane/features/listening/translation/providers/deepl.ts'
import { GOOGLE } from '#control-plane/features/listening/translation/providers/google.ts'
import { createHttpJson } from '#control-plane/features/listening/translation/providers/http-json.ts'
import { createHttpService, type HttpServiceDefinition } from '#control-plane/features/listening/translation/providers/http-service.ts'
import { localRoute } from '#control-plane/features/listening/translation/providers/local.ts'
import { MICROSOFT } from '#control-plane/features/listening/translation/providers/microsoft.ts'
import { MYMEMORY } from '#control-plane/features/listening/translation/providers/mymemory.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

type Asked = { readonly url: URL; readonly headers: IncomingHttpHeaders; readonly body: any }
type Answer = (response: ServerResponse, asked: Asked) => void
const KEY = 'canary-key'
const signal = new AbortController().signal
const caller = { signal, traceparent: '' }
const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const order = (...texts: string[]) => ({ texts, source: 'en', target: 'de', context: '' })

async function open(t: TestContext, definition: HttpServiceDefinition, answer: Answer, clock = systemClock) {
  const asked: Asked[] = []
  const state = { answer }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const one = { url: new URL(request.url!, 'http://x'), headers: request.headers, body: text === '' ? null : JSON.parse(text) }
    asked.push(one)
    state.answer(response, one)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => {
    db.close()
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createHttpJson({ clock, random: { unit: () => 0 }, version: '1' })
  const answers = createAnswerStore({ db, now: clock.now })
  const service = createHttpService(definition, { http, answers, account: { key: KEY, baseUrl, region: 'westeurope' } })
  return { asked, state, service, answers, baseUrl }
}
const errorsOf = ({ answers }: { readonly answers: readonly object[] }) => answers.map((one) => ('error' in one ? String(one.error) : one))

const DEEPL_REPLY: Answer = (response, { body }) =>
  json({ translations: body.text.map((text: string) => ({ detected_source_language: 'EN', text: `de:${text}` })) })(response, null as never)

test('DeepL: batches of fifty with key, variant and context; known answers are not asked for again', async (t) => {
  const { asked, service } = await open(t, DEEPL, DEEPL_REPLY)
  const texts = Array.from({ length: 120 }, (_, at) => `line ${at % 110}`)
  const { answers } = await service.translate({ texts, source: 'en-US', target: 'pt-BR', context: 'Terms: a = b.' }, caller)
  assert.deepEqual([answers[0], answers[119]], [{ text: 'de:line 0' }, { text: 'de:line 9' }])
  assert.deepEqual(asked.map(({ body }) => body.text.length).sort(), [10, 50, 50])
  const [{ url, headers, body }] = asked as [Asked]
  assert.deepEqual([url.pathname, headers.authorization, headers.connection], ['/v2/translate', `DeepL-Auth-Key ${KEY}`, 'close'])
  assert.deepEqual([body.source_lang, body.target_lang, body.context], ['EN', 'PT-BR', 'Terms: a = b.'])
  await service.translate({ texts, source: 'en-US', target: 'pt-BR', context: 'Terms: a = b.' }, caller)
  assert.equal(asked.length, 3)
  assert.equal(DEEPL.baseUrl({ key: 'x:fx', baseUrl: '', region: '' }), 'https://api-free.deepl.com')
})

test('Microsoft, Google and MyMemory get and give the documented shapes', async (t) => {
  const microsoft = await open(t, MICROSOFT, (response, { body }) =>
    json(body.map(({ Text }: { Text: string }) => ({ translations: [{ text: `m:${Text}`, to: 'de' }] })))(response, null as never),
  )
  assert.deepEqual((await microsoft.service.translate({ ...order('a', 'b'), target: 'zh-TW' }, caller)).answers, [
    { text: 'm:a' },
    { text: 'm:b' },
  ])
  const [{ url, headers }] = microsoft.asked as [Asked]
  assert.equal(`${url.pathname}${url.search}`, '/translate?api-version=3.0&from=en&to=zh-Hant')
  assert.deepEqual([headers['ocp-apim-subscription-key'], headers['ocp-apim-subscription-region']], [KEY, 'westeurope'])

  const google = await open(t, GOOGLE, (response, { body }) =>
    json({ data: { translations: body.q.map((text: string) => ({ translatedText: `g:${text}` })) } })(response, null as never),
  )
  assert.deepEqual((await google.service.translate(order('a'), caller)).answers, [{ text: 'g:a' }])
  assert.deepEqual(
    [google.asked[0]!.headers['x-goog-api-key'], google.asked[0]!.url.search, google.asked[0]!.body.format],
    [KEY, '', 'text'],
  )

  const memory = await open(t, MYMEMORY, (response, { url }) =>
    json({ responseData: { translatedText: `&quot;${url.searchParams.get('q')}&quot;` }, responseStatus: '200', quotaFinished: false })(
      response,
      null as never,
    ),
  )
  const long = 'ü'.repeat(251)
  assert.deepEqual(errorsOf(await memory.service.translate(order('a', long), caller)), [
    { text: '"a"' },
    'The line is longer than MyMemory accepts.',
  ])
  assert.deepEqual(
    [memory.asked.length, memory.asked[0]!.url.searchParams.get('langpair'), memory.asked[0]!.url.searchParams.get('de')],
    [1, 'en|de', KEY],
  )
})

test('refusals become a sentence for each line and are not repeated; nothing repeats what the service said', async (t) => {
  for (const [definition, status, value, said] of [
    [DEEPL, 403, { message: KEY }, /DeepL rejected the key/],
    [DEEPL, 456, { message: 'Quota Exceeded' }, /DeepL has used up the quota/],
    [DEEPL, 400, { message: `Value for 'target_lang' not supported. ${KEY}` }, /DeepL refused the request/],
    [MICROSOFT, 401, { error: { code: 401_000, message: KEY } }, /rejected the key/],
    [MICROSOFT, 403, { error: { code: 403_001, message: 'quota' } }, /used up the quota/],
    [
      GOOGLE,
      400,
      { error: { code: 400, message: KEY, errors: [{ reason: 'badRequest' }], details: [{ reason: 'API_KEY_INVALID' }] } },
      /rejected the key/,
    ],
    [GOOGLE, 403, { error: { code: 403, message: 'x', errors: [{ reason: 'dailyLimitExceeded' }] } }, /used up the quota/],
    [
      MYMEMORY,
      200,
      { responseData: { translatedText: 'MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY' }, responseStatus: 429 },
      /used up the quota/,
    ],
    [
      MYMEMORY,
      200,
      { responseData: { translatedText: "'XX' IS AN INVALID TARGET LANGUAGE" }, responseStatus: '403', quotaFinished: null },
      /rejected the key/,
    ],
    [DEEPL, 302, {}, /answer that cannot be used/],
  ] as const) {
    const { service, asked } = await open(t, definition, json(value, status, { location: 'http://127.0.0.1:9/' }))
    const [error] = errorsOf(await service.translate(order('secret line'), caller))
    assert.match(String(error), said)
    assert.ok(!String(error).includes(KEY) && !String(error).includes('secret line'))
    assert.equal(asked.length, 1, String(said))
  }
})

test('the status of a refusal counts, also when its body is cut or too long', async (t) => {
  for (const [status, said] of [
    [401, /rejected the key/],
    [400, /refused the request/],
  ] as const) {
    const cut: Answer = (response) => {
      response.writeHead(status, { 'content-length': '1000' }).write('{"mess')
      response.socket!.end()
    }
    const long: Answer = (response) => void response.writeHead(status).end(Buffer.alloc(10 * 1024 * 1024, 0x20))
    for (const answer of [cut, long]) {
      const { service, asked } = await open(t, DEEPL, answer)
      assert.match(String(errorsOf(await service.translate(order('a'), caller))[0]), said)
      assert.equal(asked.length, 1, String(said))
    }
  }
})

test('after a rejected key the remaining lines are not sent', async (t) => {
  const { service, asked } = await open(t, MYMEMORY, json({}, 401))
  const { answers } = await service.translate(order(...Array.from({ length: 50 }, (_, at) => `line ${at}`)), caller)
  assert.ok(answers.every((one) => 'error' in one))
  assert.ok(asked.length <= 4, `${asked.length} requests`)
})

test('answers that cannot be used: invalid JSON, another number of texts, another shape, 10 MB', async (t) => {
  for (const answer of [
    ((response) => void response.end('{"translations": [')) satisfies Answer,
    json({ translations: [{ text: 'one' }, { text: 'two' }] }),
    json({ translations: [{ text: 5 }] }),
    json([]),
    json({ translations: [{ text: 'x'.repeat(10 * 1024 * 1024) }] }),
  ]) {
    const { service } = await open(t, DEEPL, answer)
    assert.match(String(errorsOf(await service.translate(order('a'), caller))[0]), /answer that cannot be used/)
  }
})

/** A manual clock that counts the pauses between attempts, because the time limit of each request is a timer, too. */
function countingClock() {
  const clock = createFakeClock()
  const state = { pauses: 0 }
  const sleep: typeof clock.sleep = (ms, signal) => {
    state.pauses++
    return clock.sleep(ms, signal)
  }
  return { clock: { ...clock, sleep }, pausesAre: (count: number) => eventually(() => state.pauses === count) }
}

test('a busy service is asked again after Retry-After; cut and failing ones after a pause, four times, and then not for a minute', async (t) => {
  const { clock, pausesAre } = countingClock()
  const { service, asked, state } = await open(t, DEEPL, json({}, 429, { 'retry-after': '7' }), clock)
  const first = service.translate(order('a'), caller)
  await pausesAre(1)
  state.answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"translations":', () => response.destroy())
  }
  clock.advance(6_999)
  assert.equal(asked.length, 1)
  clock.advance(1)
  await pausesAre(2)
  state.answer = DEEPL_REPLY
  clock.advance(1_000)
  assert.deepEqual((await first).answers, [{ text: 'de:a' }])

  state.answer = json({}, 500)
  for (let line = 0; line < 5; line++) {
    const failing = service.translate(order(`failing ${line}`), caller)
    for (let pause = 1; pause <= 3; pause++) {
      await pausesAre(2 + line * 3 + pause)
      clock.advance(5_000)
    }
    assert.match(String(errorsOf(await failing)[0]), /cannot be reached/)
  }
  assert.equal(asked.length, 3 + 5 * 4)
  assert.match(String(errorsOf(await service.translate(order('b'), caller))[0]), /not asked for a minute/)
  assert.equal(asked.length, 3 + 5 * 4)
  clock.advance(60_000)
  state.answer = DEEPL_REPLY
  assert.deepEqual((await service.translate(order('b'), caller)).answers, [{ text: 'de:b' }])
})

test('a service that does not answer ends at the time limit, and at once when the client leaves', async (t) => {
  const { clock, pausesAre } = countingClock()
  const { service, asked } = await open(t, DEEPL, () => {}, clock)
  const late = service.translate(order('a'), caller)
  for (let tries = 1; tries <= 4; tries++) {
    await eventually(() => asked.length === tries)
    clock.advance(30_000)
    // Four attempts take longer than all of them may take together.
    if (tries === 4) break
    await pausesAre(tries)
    clock.advance(2_000)
  }
  assert.match(String(errorsOf(await late)[0]), /did not answer in time/)
  const leaving = new AbortController()
  const left = service.translate(order('b'), { ...caller, signal: leaving.signal })
  await eventually(() => asked.length === 5)
  leaving.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
})

test('a service that switches to another protocol has failed', async (t) => {
  const { clock, pausesAre } = countingClock()
  const switched: Answer = (response) =>
    void response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n')
  const { service } = await open(t, DEEPL, switched, clock)
  const leaving = new AbortController()
  const left = service.translate(order('a'), { ...caller, signal: leaving.signal })
  await pausesAre(1)
  leaving.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
})

test('a key is sent only over https or to this machine, and not to an address with a password', async (t) => {
  const { answers } = await open(t, DEEPL, DEEPL_REPLY)
  const http = createHttpJson({ clock: systemClock, random: { unit: () => 0 }, version: '1' })
  for (const baseUrl of ['http://deepl.example', 'https://user:password@deepl.example', 'ftp://deepl.example', 'nothing']) {
    const service = createHttpService(DEEPL, { http, answers, account: { key: KEY, baseUrl, region: '' } })
    assert.match(String(errorsOf(await service.translate(order('a'), caller))[0]), /address that cannot be used/, baseUrl)
  }
})

test('answers are kept for 30 days, and no more than the limit', (t) => {
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  let now = 1
  const store = createAnswerStore({ db, now: () => now, most: 3 })
  for (const key of ['a', 'b', 'c', 'd']) {
    now++
    store.keep([[key, key]])
  }
  assert.deepEqual(['a', 'b', 'c', 'd'].map(store.find), [null, 'b', 'c', 'd'])
  now += 30 * 24 * 3_600_000
  assert.equal(store.find('d'), null)
  store.keep([])
  assert.equal(db.prepare('select count(*) from translation_answer').pluck().get(), 0)
})

test('the translators of this machine: the pair directly, best engine first, else through English', () => {
  const row = (engine: string, model: string, ...languages: string[]) => offer({ operation: 'translate', engine, model, languages })
  const opus = [row('opus-mt', '', 'de', 'en'), row('opus-mt', 'opus-mt-de-en', 'de', 'en')]
  const apertium = [row('apertium', '', 'en', 'es'), row('apertium', 'en-es', 'en', 'es'), row('apertium', 'es-en', 'en', 'es')]
  const all = [...apertium, ...opus]
  assert.deepEqual(localRoute(all, 'de-AT', 'en', null), [{ source: 'de-AT', target: 'en', engines: ['opus-mt'] }])
  assert.equal(localRoute(all, 'en', 'de', null), null)
  assert.deepEqual(
    localRoute(all, 'de', 'es', null)?.map(({ engines }) => engines),
    [['opus-mt'], ['apertium']],
  )
  assert.equal(localRoute(all, 'de', 'es', 'apertium'), null)
  const both = [...all, row('m2m100', '', 'de', 'en', 'es'), row('m2m100', 'm2m100-418m', 'de', 'en', 'es')]
  assert.deepEqual(localRoute(both, 'de', 'en', null)?.[0]?.engines, ['opus-mt', 'm2m100'])
  assert.deepEqual(
    localRoute(both, 'de', 'es', null)?.map(({ engines }) => engines),
    [['m2m100']],
  )
})

test('a language is refused before its lines are there when nothing translates into it', () => {
  const local = (engine: string, model: string, ...languages: string[]) => offer({ engine, operation: 'translate', model, languages })
  const pairs = [local('opus-mt', 'de-en', 'de', 'en'), local('apertium', 'en-es', 'en', 'es')]
  function refusal(language: string, offers: typeof pairs, variables: Readonly<Record<string, string>> = {}, isLlmReady = false): string {
    const choice = createTranslatorChoice({
      ...{ variable: (name) => variables[name] ?? '', isLlmReady: () => isLlmReady, offered: () => offers },
      ...{ http: null as never, answers: null as never, inference: null as never },
    })
    try {
      choice.requireTarget(language)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  for (const language of ['en', 'es', 'es-MX']) assert.equal(refusal(language, pairs), '', language)
  assert.match(refusal('fr', pairs), /^No translator of this machine translates into fr\. Use provider "local"/)
  assert.match(refusal('es', [offer()]), /translates into es/)
  assert.match(refusal('es', []), /engines of this machine are starting/)
  assert.equal(refusal('fr', [local('m2m100', '', '*')]), '')
  assert.equal(refusal('fr', [local('m2m100', '', 'en', 'fr')]), '')
  assert.match(refusal('es', pairs, { TRANSLATE_PROVIDER: 'opus-mt' }), /translates into es/)
  assert.match(refusal('fr', pairs, { TRANSLATE_PROVIDER: 'deepl' }), /needs a key/)
  assert.equal(refusal('fr', pairs, { TRANSLATE_PROVIDER: 'deepl', DEEPL_API_KEY: 'k' }), '')
  assert.match(refusal('fr', pairs, { TRANSLATE_PROVIDER: 'nllb' }), /translates into fr/)
  assert.equal(refusal('es', pairs, { TRANSLATE_PROVIDER: 'argos' }), '')
  assert.match(refusal('es', pairs, { TRANSLATE_PROVIDER: 'elsewhere' }), /no translator of this name/)
  assert.equal(refusal('fr', [], {}, true), '', 'a language model')
})
