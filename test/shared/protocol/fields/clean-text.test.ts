// No text of another program keeps a character that commands a terminal or reorders a line.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServiceError, status } from '@grpc/grpc-js'
import fc from 'fast-check'
import type { z } from 'zod'
import { failureOfGrpc, saidFailure } from '#shared/link/transport/status.ts'
import { readResult } from '#shared/operations/table.ts'
import { cleanJson, cleanLine, cleanLines, escapeControls } from '#shared/protocol/fields/clean-text.ts'
import { REPLY_CODES } from '#shared/protocol/fields/peer-codes.ts'
import {
  DescriptionMessage,
  EMPTY_INSTALL_EVENT,
  IdentityMessage,
  InstallEventMessage,
  InventoryMessage,
  LogLineMessage,
  SnapshotMessage,
  UnloadedMessage,
} from '#shared/protocol/messages.ts'
import { EventMessage, InputWantMessage } from '#shared/protocol/run-messages.ts'

const HOSTILE = 'a\u001b]52;c;eA==\u0007\r\nb\u0000\u009b31m\u202ec\u2066\u2028\u200f\ud800'
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

const numbers = { memory_bytes: 1, free_memory_bytes: 1, cpu_count: 1 }
const gpu = { vendor: 'x', model: 'x', backend: 'x', ...numbers, driver_version: 'x', compute_capability: 'x' }
const capability = {
  engine: 'x',
  model: 'x',
  operation: 'x',
  implementation: 'x',
  stands_in: 'x',
  languages: ['x'],
  scripts: ['Latn'],
  voices: [{ id: 'x', name: 'x', language: 'x', default_for: ['en'] }],
  cloning: true,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'x',
  sample_rate: 1,
  permits: 1,
  model_digest: 'a',
  memory_bytes: 1,
  phones: 'ipa',
}
/** A valid message of each kind that an agent or an issuer sends, with a text in each of its text fields. */
const MESSAGES: readonly (readonly [z.ZodType, object])[] = [
  [
    DescriptionMessage,
    {
      agent_version: 'x',
      features: ['x'],
      host: {
        hostname: 'x',
        os: 'x',
        arch: 'x',
        ...numbers,
        gpus: [gpu],
        unusable_gpus: [{ model: 'x', reason: 'x', code: 'driver-old', fix: 'x' }],
      },
      capabilities: [capability],
      generation: 1,
      protocol: 1,
      instance: 'a',
      inventory: 1,
      pool: {
        name: 'x',
        operator: 'x',
        contact: 'x',
        places: ['x'],
        reads_inputs: true,
        keeps: 'x',
        machines: [{ name: 'x', gpu: 'x', version: 'x', state: 'ready', permits: 1, busy: 1 }],
      },
    },
  ],
  [
    SnapshotMessage,
    {
      held: [{ attempt_id: 'x', task_id: 'x', epoch: 1, phase: 'running', last_seq: 1 }],
      resident_models: ['x'],
      free_memory_bytes: 1,
      free_disk_bytes: 1,
      draining: true,
      beat: 1,
      inventory: 1,
    },
  ],
  [EventMessage, { seq: 1, fact: 'declined', declined: { code: 'X', message: 'x' } }],
  [EventMessage, { seq: 1, fact: 'failed', failed: { code: 'X', message: 'x' } }],
  [EventMessage, { seq: 1, fact: 'running', running: { machine: 'x' } }],
  [EventMessage, { seq: 1, fact: 'loading', loading: { progress: 1, detail: 'x' } }],
  [EventMessage, { seq: 1, fact: 'progress', progress: { progress: 1, stage: 'x', keepalive: false } }],
  [InputWantMessage, { name: 'x', offset: 0 }],
  [LogLineMessage, { at: 1, level: 'info', message: 'x', fields_json: JSON.stringify({ x: ['x', { x: 'x' }] }) }],
  [
    InventoryMessage,
    {
      models: [
        {
          id: 'x/x',
          supported: true,
          installed: true,
          incomplete: true,
          installing: true,
          size_bytes: 1,
          files: 1,
          own: { label: 'x', role: 'TTS', engine: 'x', model: 'own-x' },
        },
      ],
    },
  ],
  [InstallEventMessage, { ...EMPTY_INSTALL_EVENT, phase: 'progress', file: 'x', code: 'X', message: 'x' }],
  [UnloadedMessage, { unloaded: ['x'], reason: 'x' }],
  [
    IdentityMessage,
    {
      worker_id: 'x',
      certificate_pem: 'x',
      authority_pem: 'x',
      studio_pins: ['a'.repeat(64)],
      studio_name: 'x',
      generation: 1,
      endpoints: ['x'],
    },
  ],
]

/** Copies of the value, each with the hostile text in place of one of its texts. `fields_json` is a text with texts inside. */
function* poisoned(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    yield HOSTILE
    if (value.startsWith('{')) for (const inner of poisoned(JSON.parse(value))) yield JSON.stringify(inner)
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) for (const bad of poisoned(each)) yield value.with(at, bad)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      for (const bad of poisoned(each)) yield { ...value, [name]: bad }
      if (name === 'x') yield { ...value, [HOSTILE]: 1 }
    }
  }
}
/** Texts and names of fields, at any depth. A PEM is parsed by a library and never shown. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [name, ...(name.endsWith('_pem') ? [] : textsOf(each))])
}

test('every text field of every message is refused or cleaned when it is parsed', () => {
  let cleaned = 0
  for (const [schema, message] of MESSAGES) {
    assert.ok(schema.safeParse(message).success, JSON.stringify(schema.safeParse(message).error))
    for (const bad of poisoned(message)) {
      const { success, data } = schema.safeParse(bad)
      if (!success) continue
      cleaned++
      for (const text of textsOf(data)) assert.doesNotMatch(text, UNSAFE, JSON.stringify(bad))
    }
  }
  assert.ok(cleaned > 25, `${cleaned} fields`)
})

test('the messages above have every text field of the protocol', () => {
  const sent = new Set(MESSAGES.flatMap(([, message]) => textsOf(message)))
  // Requests of a studio, which no person reads, and RunEnding, which is a failure.
  const others = /^(?:\w+Request|RunHeader|InputRef|InputChunk|RunEnding|Verdict)$/
  for (const file of ['agent', 'enrolment']) {
    const proto = readFileSync(join(import.meta.dirname, `../../../../proto/voice/${file}/v1/${file}.proto`), 'utf8')
    for (const [, message = '', body = ''] of proto.matchAll(/^message (\w+) \{([^}]*)\}/gm))
      for (const [, field = ''] of body.matchAll(/\bstring (\w+) =/g))
        assert.ok(others.test(message) || sent.has(field), `${message}.${field} is in no message of this test`)
  }
})

test('failures and results of a peer are cleaned', () => {
  const refusal = saidFailure({ code: 'CONFLICT', message: HOSTILE, reason: HOSTILE }, REPLY_CODES)
  assert.doesNotMatch(refusal.message, UNSAFE)
  assert.equal(refusal.detail, undefined, 'a reason is a word')
  const error = Object.assign(new Error('x'), { code: status.INTERNAL, details: HOSTILE + 'x'.repeat(1e6), metadata: undefined })
  const { message } = failureOfGrpc(error as unknown as ServiceError, REPLY_CODES)
  assert.doesNotMatch(message, UNSAFE)
  assert.ok(message.length <= 2000)
  const segment = { start: 0, end: 1, text: `${HOSTILE}\nc` }
  const asr = { language: 'en', duration: 1, text: HOSTILE, segments: [segment], notices: [HOSTILE] }
  const bytes = Buffer.from(JSON.stringify(asr))
  const result = readResult('asr', bytes, { params: '{}', outputBytes: 0, isOutput: () => true, units: 1 })
  for (const text of textsOf(result)) assert.doesNotMatch(text, UNSAFE_IN_LINES)
})

test('a line keeps what a person reads', () => {
  for (const text of ['Zoë 李 👩‍💻', 'שלום', 'نمی‌خواهم', 'a – b', '']) assert.equal(cleanLine(text), text)
  assert.equal(cleanLine('one\r\ntwo\u001b[2J'), 'one two [2J')
  assert.equal(cleanLines('one\r\ntwo\rthree\n\tfour\u200f.'), 'one\ntwo\nthree\n\tfour\u200f.')
  assert.equal(cleanLines('a\u202eb\u0000c'), 'a b c')
})

test('any text: one line without commands, the same when it is cleaned again, and well-formed', () => {
  const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
  fc.assert(
    fc.property(text, (any) => {
      const line = cleanLine(any)
      assert.doesNotMatch(line, UNSAFE)
      assert.ok(line.isWellFormed() && cleanLine(line) === line && line.length <= any.length)
      const lines = cleanLines(any)
      assert.doesNotMatch(lines, UNSAFE_IN_LINES)
      assert.equal(cleanLines(lines), lines)
      const json = JSON.stringify({ [any]: [any] })
      assert.doesNotMatch(escapeControls(json), UNSAFE_IN_LINES)
      assert.deepEqual(JSON.parse(escapeControls(json)), JSON.parse(json), 'JSON keeps its meaning')
    }),
  )
  assert.deepEqual(cleanJson({ __proto__: null, a: [HOSTILE, 1, null, true] }, cleanLine), { a: [cleanLine(HOSTILE), 1, null, true] })
})
