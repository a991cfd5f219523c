import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatAnswer,
  formatLater,
  formatPreamble,
  LATER_LIMIT_SECONDS,
  parseAnswer,
  parsePreamble,
  SESSION_REFUSALS,
} from '#shared/link/port/preamble.ts'
import { formatAddress, parseAddress } from '#shared/link/transport/address.ts'

test('a preamble carries only a valid worker id', () => {
  assert.equal(parsePreamble(formatPreamble('gpu_A-1').trimEnd()), 'gpu_A-1')
  for (const line of ['', 'SVA1', 'SVA1 ', 'SVA1 a b', 'SVA1 a/b', 'SVA1 ..', 'SVA1 a\r', 'SVA2 a', ' SVA1 a', `SVA1 ${'a'.repeat(41)}`])
    assert.equal(parsePreamble(line), null, JSON.stringify(line))
})

test('an answer is an acceptance, a known refusal or not from a studio', () => {
  assert.equal(parseAnswer(formatAnswer('ok').trimEnd(), 'a:1'), null)
  for (const reason of SESSION_REFUSALS) assert.deepEqual(parseAnswer(formatAnswer(reason).trimEnd(), 'a:1')?.detail, { reason })
  for (const line of ['', 'HTTP/1.1 400 Bad Request', 'SVA1 no', 'SVA1 no way']) {
    const failure = parseAnswer(line, 'a:1')
    assert.equal(failure?.code, 'WORKER_UNREACHABLE')
    assert.match(failure.message, /a:1/)
  }
})

test('a port at its limit names a time within the limits, and another value is not accepted', () => {
  for (const [seconds, asked] of [
    [0.02, 1],
    [1, 1],
    [7.2, 8],
    [1e9, LATER_LIMIT_SECONDS],
    [Number.POSITIVE_INFINITY, LATER_LIMIT_SECONDS],
  ] as const) {
    const line = formatLater(seconds)
    const failure = parseAnswer(line.trimEnd(), 'a:1')
    assert.deepEqual([failure?.code, failure?.retryAfterSeconds, failure?.detail], ['NOT_READY', asked, { reason: 'later' }])
  }
  const hostile = [
    '',
    ' ',
    '0',
    '00',
    '-1',
    '+1',
    '1.5',
    '1e2',
    '0x10',
    '007',
    '301',
    '1000000000',
    '9'.repeat(1_000_000),
    '5 5',
    '5\r',
    '٥',
    'NaN',
  ]
  for (const value of hostile) {
    const failure = parseAnswer(`SVA1 later ${value}`, 'a:1')
    assert.deepEqual([failure?.code, failure?.retryAfterSeconds], ['WORKER_UNREACHABLE', undefined], value.slice(0, 20))
  }
})

test('addresses are parsed as formatted', () => {
  for (const text of ['studio.example:7443', '10.0.0.1:1', '[fd00::1]:65535']) assert.equal(formatAddress(parseAddress(text)!), text)
  for (const text of ['', 'host', 'host:', 'host:0', 'host:65536', ':1', 'fd00::1:7443', 'http://host:1', 'host:1/path', 'ho st:1'])
    assert.equal(parseAddress(text), null, text)
})
