import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJoinCode, type JoinCode, type JoinCodeRefusal, joinLines, parseJoinCode } from '#shared/protocol/codes/join-code.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { PUBLISHED } from '#shared/protocol/version.ts'

const NOW = 1_800_000_000_000
const CODE: JoinCode = {
  id: '0123456789abcdef',
  secret: 's3cret_-',
  endpoints: ['192.168.1.5:7443', '[fd00::1]:7443'],
  pins: ['ab'.repeat(32), 'cd'.repeat(32)],
  expiresAtSeconds: NOW / 1000 + 900,
}
const encodeFields = (fields: unknown) => `svcj_${Buffer.from(JSON.stringify(fields)).toString('base64url')}`
const FIELDS = { v: 1, id: CODE.id, s: CODE.secret, e: CODE.endpoints, p: CODE.pins, x: CODE.expiresAtSeconds }

const refused = (text: string, reason: JoinCodeRefusal, code: string) =>
  assert.throws(
    () => parseJoinCode(text),
    (error: Failure) => {
      assert.deepEqual([error.code, error.detail], [code, { reason }], text)
      return true
    },
  )

test('a join code is parsed back, however it was copied', () => {
  const text = encodeJoinCode(CODE)
  assert.match(text, /^svcj_[A-Za-z0-9_-]+$/)
  assert.deepEqual(parseJoinCode(text), CODE)
  assert.deepEqual(parseJoinCode(`  ${text.slice(0, 40)}\r\n ${text.slice(40)}\n`), CODE)
})

test('each refusal has its own reason', () => {
  const text = encodeJoinCode(CODE)
  for (const other of ['', 'hello', 'svcnode://secret@host:1', text.slice(1)]) refused(other, 'not-a-code', 'BAD_REQUEST')
  for (let cut = 6; cut < text.length - 1; cut += 7) refused(text.slice(0, cut), 'malformed', 'BAD_REQUEST')
  refused(`${text}!`, 'malformed', 'BAD_REQUEST')
  refused(`svcj_${'A'.repeat(5000)}`, 'malformed', 'BAD_REQUEST')
  refused(encodeFields([1]), 'malformed', 'BAD_REQUEST')
  refused(encodeFields({ v: 2, other: 'fields' }), 'newer-version', 'UPGRADE_REQUIRED')
  for (const p of [[], undefined, 'ab']) refused(encodeFields({ ...FIELDS, p }), 'no-pins', 'AUTH_FAILED')
})

test('a field of the wrong kind is malformed', () => {
  const wrong = { v: ['1', 0], id: ['', 7], s: ['', null], e: [[], ['', 'a:1'], 'a:1'], p: [['ab'], [1]], x: ['1', null] }
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) refused(encodeFields({ ...FIELDS, [name]: value }), 'malformed', 'BAD_REQUEST')
})

test('a code is never too long to be parsed', () => {
  const endpoints = Array.from({ length: 200 }, (_, at) => `machine-${at}.example:7443`)
  assert.throws(() => encodeJoinCode({ ...CODE, endpoints }), { code: 'BAD_REQUEST' })
})

test('lines for another machine install from a registry only after a release', () => {
  const line = (way: string, release?: Parameters<typeof joinLines>[0]) => joinLines(release).find((one) => one.way === way)?.line
  assert.equal(PUBLISHED, line('npx') !== undefined)
  assert.deepEqual(
    joinLines({ published: false, image: null }).map(({ way }) => way),
    ['files', 'checkout'],
  )
  assert.match(
    line('files', { published: false, image: null }) ?? '',
    /^npm install --offline .*\.tgz && npx --no-install voice-studio-agent join CODE$/,
  )
  const released = { published: true, image: 'registry.example/agent' }
  assert.equal(line('npx', released), 'npx --yes voice-studio-agent join CODE')
  assert.match(
    line('container', released) ?? '',
    /^echo CODE \| docker run .* registry\.example\/agent join && docker run --detach .* run$/,
  )
  assert.equal(line('files', released), undefined)
  assert.equal(line('checkout', released), './studio agent join CODE')
})
