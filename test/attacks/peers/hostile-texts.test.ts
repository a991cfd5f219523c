// A lent machine that puts commands to a terminal, control characters and reordering marks into every text that it sends: none of them
// reaches a response, a log or the terminal of a command. Its failure codes do not choose the status of a response either.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentService, ServedRun } from '#shared/link/rpc.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EMPTY_INSTALL_EVENT } from '#shared/protocol/messages.ts'
import { wireCapability, wireHost } from '#test/support/builders/wire.ts'
import { scriptedMachine, scriptedService } from '#test/support/peers/scripted-agent.ts'
import { studio } from '#test/support/world/cli.ts'
import { eventually, type Reply, sharedWorld } from '#test/support/world/world.ts'

/** Title, clipboard, clear screen, colour, a line over the last one, and what follows from right to left. */
const HOSTILE = '\u001b]0;owned\u0007\u001b]52;c;cm0=\u0007\u001b[2J\u009b31m\rstudio: ok\b\u0000\u2028\u202egnp.exe\u2066'
const MARK = 'owned'
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const LAST_NUMBER = Number.MAX_SAFE_INTEGER
const named = (what: string) => `${what} ${HOSTILE}`
/** For fields of few characters. */
const brief = (what: string) => `${what}\u001b[2J\u0000\r\u202e`

const host = wireHost({
  hostname: named('host'),
  os: named('os'),
  arch: named('arch'),
  cpu_count: 4,
  memory_bytes: 2 ** 34,
  gpus: [
    {
      vendor: named('vendor'),
      model: named('gpu'),
      backend: named('backend'),
      memory_bytes: 2 ** 34,
      free_memory_bytes: 2 ** 34,
      driver_version: named('driver'),
      compute_capability: named('9'),
    },
  ],
})
const capability = wireCapability({
  implementation: named('tone'),
  stands_in: named('It stands in.'),
  languages: [brief('en')],
  voices: [{ id: named('id'), name: named('name'), language: brief('en'), default_for: [] }],
  device: brief('cpu'),
})

function fail(call: ServedRun): void {
  call.write({
    events: [
      { seq: 1, fact: 'accepted', accepted: {} },
      { seq: 2, fact: 'loading', loading: { progress: 0, detail: named('loading') } },
      { seq: 3, fact: 'running', running: { machine: '' } },
      { seq: 4, fact: 'progress', progress: { progress: 0.5, stage: named('stage'), keepalive: false } },
      { seq: 5, fact: 'failed', failed: { code: 'WORKER_FAILED', message: named('It failed.') } },
    ],
  })
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => [name, ...textsOf(each)])
      : []

/** Also the headers. */
function assertClean(reply: Reply, what: string): string {
  const text = reply.body.toString()
  const isJson = reply.headers.get('content-type')?.includes('json') === true && !reply.headers.get('content-type')?.includes('ndjson')
  for (const each of [...(isJson ? textsOf(JSON.parse(text)) : [text]), ...reply.headers.values()])
    assert.doesNotMatch(each, UNSAFE, `${what}: ${JSON.stringify(each)}`)
  return text
}

const REFUSALS = [
  'UNAUTHORIZED',
  'AUTH_FAILED',
  'PIN_REQUIRED',
  'TOO_MANY_WRONG_KEYS',
  'STORAGE_FULL',
  'BODY_TOO_LARGE',
  'UNKNOWN',
] as const
/** Statuses that say something about the client or about the studio, which no machine can know. */
const NOT_ITS_OWN = [401, 403, 413, 429, 500, 507]

const open = sharedWorld({ remote: true, withoutAgent: true, impatient: true })

test('no text of a machine commands a terminal or a page, wherever it is shown', { timeout: 300_000 }, async (t) => {
  const world = await open()
  const events: Wire<'InstallEvent'>[] = []
  let refusal: FailureCode = 'CONFLICT'
  const refuse = async (): Promise<never> => {
    throw new Failure(refusal, named('No.'))
  }
  const own: Partial<AgentService> = {
    async run(call) {
      fail(call)
      if (!call.signal.aborted) await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }))
    },
    async *logs() {
      const fields_json = JSON.stringify({ [named('field')]: named('value'), deep: [{ a: named('b') }] })
      yield { at: LAST_NUMBER, level: 'info', message: named('line'), fields_json }
      yield { at: 0, level: 'info', message: named('first'), fields_json: '{}' }
      yield { at: 1, level: HOSTILE, message: 'x', fields_json: '{}' }
      yield { at: 1, level: 'info', message: 'x', fields_json: '['.repeat(4000) }
    },
    async *install(_request, { signal }) {
      if (events.length === 0) await refuse()
      yield* events
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    inventory: async () => ({ models: [{ ...stored, id: model }] }),
    removeModel: refuse,
    stopInstall: refuse,
    unload: async () => ({ unloaded: [named('tone')], reason: named('Busy.') }),
  }
  const stored = { supported: true, installed: false, incomplete: true, installing: false, size_bytes: 1, files: 1 }
  const model = CATALOGUE[0]!.id
  const machine = await scriptedMachine(
    t,
    world,
    scriptedService(own, { agent_version: brief('1'), features: [brief('f')], host, capabilities: [capability] }),
    'hostile',
  )
  await world.post('/workers/target', { target: machine })

  await t.test('responses', async () => {
    const speech = await world.post('/v1/audio/speech', { model: 'tone', input: 'Hello.', response_format: 'wav' })
    assert.equal(speech.status, 503)
    assert.match(assertClean(speech, 'speech'), new RegExp(MARK), 'the rest of the message is there')
    const seen: string[] = []
    for (const path of [
      '/workers',
      '/workers/target',
      '/workers/tasks',
      `/workers/${machine}/logs`,
      '/models',
      '/engines',
      '/v1/models',
      '/v1/audio/voices',
      '/system/info',
      '/system/logs?tail=2000',
      '/system/diagnostics',
      '/health',
      '/metrics',
    ])
      seen.push(assertClean(await world.get(path), path))
    assert.ok(seen.filter((text) => text.includes(MARK)).length >= 4, 'its texts are shown in several places')
  })

  await t.test('an installation, and the codes with which a machine refuses one', async () => {
    for (refusal of REFUSALS) {
      const reply = await world.post('/models/install', { repo_id: model, target: machine })
      assertClean(reply, refusal)
      assert.ok(!NOT_ITS_OWN.includes(reply.status), `${refusal}: ${reply.status} ${reply.body}`)
      const removed = await world.delete(`/models/${model}`)
      assertClean(removed, refusal)
      assert.ok(!NOT_ITS_OWN.includes(removed.status), `${refusal}: ${removed.status} ${removed.body}`)
    }
    const event = { ...EMPTY_INSTALL_EVENT, file: named('file'), message: named('message') }
    events.push(
      { ...event, phase: 'install_start' },
      { ...event, phase: 'start', total: 5 },
      { ...event, phase: 'progress', downloaded: 3, total: 5 },
      { ...event, phase: 'install_retry', attempt: 1 },
      { ...event, phase: 'install_error', code: 'UNAUTHORIZED' },
    )
    assertClean(await world.post('/models/install', { repo_id: model, target: machine }), 'install')
    const jobs = await eventually(async () => {
      const reply = await world.get('/jobs')
      return reply.body.includes('failed') && reply
    })
    assertClean(jobs, 'jobs')
    assertClean(await world.get('/models'), 'models')
  })

  await t.test('commands', async () => {
    const env = { STUDIO_PORT: new URL(world.url).port, STUDIO_DATA_DIR: world.dataDir }
    await world.post(`/workers/${machine}/resume`)
    const printed: string[] = []
    for (const args of [
      ['say', 'Hello.', '--engine', 'tone', '--format', 'wav', '-o', '/dev/null'],
      ['workers'],
      ['workers', '--json'],
      ['workers', 'logs', machine],
      ['workers', 'logs', machine, '--json'],
      ['tasks'],
      ['tasks', '--json'],
      ['models'],
      ['engines'],
      ['logs', '--last', '200'],
    ]) {
      const { output, errors, code } = await studio(args, { env })
      for (const text of [output, errors]) assert.doesNotMatch(text, UNSAFE, `${args.join(' ')}: ${JSON.stringify(text)}`)
      // The first fails because of the machine, two others for want of an agent.
      assert.ok(code === 0 || ['say', 'models', 'engines'].includes(args[0]!), `${args.join(' ')}: ${errors}`)
      printed.push(output + errors)
    }
    assert.match(printed[0]!, new RegExp(MARK))
    // A time beyond the last date is the last date, and the other lines are printed.
    assert.match(printed[3]!, /9999-12-31 23:59:59 info {2}line/)
    assert.match(printed[3]!, /info {2}first/)
  })
})
