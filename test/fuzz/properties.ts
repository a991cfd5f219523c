// The random tests, with any number of runs: a short form in every run of the suite, a long one with ./studio test --long.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { readInvitation } from '#agent/connection/enrol.ts'
import {
  CONNECTION_LIMIT_CHARS,
  type ConnectionString,
  formatConnectionString,
  parseConnectionString,
} from '#shared/protocol/codes/connection-string.ts'
import { encodeJoinCode, type JoinCode, parseJoinCode } from '#shared/protocol/codes/join-code.ts'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import { subjects } from './messages.ts'
import { damages, LIMIT_BYTES, mutate } from './mutate.ts'
import { play } from './seed.ts'

/** The value, or undefined if it was refused properly; any other exception is a fault. */
function refusedOr<T>(attempt: () => T): T | undefined {
  try {
    return attempt()
  } catch (error) {
    assert.ok(error instanceof Failure, `not a Failure but ${error instanceof Error ? error.stack : String(error)}`)
    assert.ok(isFailureCode(error.code) && error.message !== '')
    return undefined
  }
}

/** `total` mutated messages of both services, evenly distributed, through the decoder and its first consumer. */
export async function mutatedMessages(t: TestContext, total: number): Promise<void> {
  const all = await subjects()
  const runs = Math.ceil(total / all.length)
  for (const { encode, decode, check, valid } of all) {
    let decoded = 0
    await play(t, runs, fc.record({ message: valid, list: damages }), ({ message, list }) => {
      const bytes = mutate(encode(message), list)
      assert.ok(bytes.length <= LIMIT_BYTES + 64 * 1024)
      const value = refusedOr(() => decode(bytes))
      if (value === undefined) return
      decoded++
      refusedOr(() => check(value as never))
    })
    // Most mutations are refused; but some must pass, or the consumers were not tested.
    assert.ok(decoded > runs / 100, `${decoded} of ${runs} were decoded`)
  }
}

/** Output of our own encoder is never refused for its form, and decodes to the same bytes. */
export async function wireAndDecoderAgree(t: TestContext, runs: number): Promise<void> {
  for (const { encode, decode, valid } of await subjects())
    await play(t, runs, valid, (message) => {
      const bytes = encode(message)
      assert.deepEqual(encode(decode(bytes)), encode(decode(encode(decode(bytes)))))
    })
}

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const host = fc.constantFrom('gpu.example.org', '192.0.2.7', '2001:db8::7', 'localhost', 'a-b.c')
const joinCode: fc.Arbitrary<JoinCode> = fc.record({
  id: hex(16),
  secret: fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  endpoints: fc.array(
    fc.tuple(host, fc.nat({ max: 65_535 })).map(([name, port]) => `${name}:${port}`),
    { minLength: 1, maxLength: 4 },
  ),
  pins: fc.array(hex(64), { minLength: 1, maxLength: 2 }),
  expiresAtSeconds: fc.integer({ min: 1, max: 2 ** 33 }),
})
const connection: fc.Arbitrary<ConnectionString> = fc.record({
  secret: fc.stringMatching(/^svcnode_[A-Za-z0-9_-]{16,128}$/),
  host,
  port: fc.integer({ min: 1, max: 65_535 }),
  fingerprint: hex(64),
})

/** Typical damage to text: changed bytes, or unrelated text. */
const damagedText = (valid: fc.Arbitrary<string>, prefix: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.record({ text: valid, list: damages }).map(({ text, list }) => mutate(Buffer.from(text), list.map(shorter)).toString('utf8')),
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.string({ maxLength: 600 }).map((text) => prefix + text),
    // One character, repeated very often: the worst case of slow regular expressions.
    fc
      .record({ head: fc.constantFrom('', prefix), char: fc.string({ minLength: 1, maxLength: 2 }), times: fc.nat({ max: 20_000 }) })
      .map(({ head, char, times }) => head + char.repeat(times)),
  )
/** A code is sent in a body of at most a megabyte. */
const shorter = (step: Parameters<typeof mutate>[1][number]) => (step.kind === 'repeat' ? { ...step, times: step.times % 20_000 } : step)

export async function mutatedJoinCodes(t: TestContext, runs: number): Promise<void> {
  const json = joinCode.chain((code) =>
    fc
      .record({ field: fc.constantFrom('v', 'id', 's', 'e', 'p', 'x', '__proto__', 'more'), value: fc.jsonValue({ maxDepth: 6 }) })
      .map(({ field, value }) => {
        const { id, secret: s, endpoints: e, pins: p, expiresAtSeconds: x } = code
        const fields = Object.entries({ v: 1, id, s, e, p, x }).filter(([name]) => name !== field)
        const text = `{${[...fields, [field, value] as const].map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`).join(',')}}`
        return `svcj_${Buffer.from(text).toString('base64url')}`
      }),
  )
  const nested = fc.nat({ max: 3_000 }).map((depth) => `svcj_${Buffer.from('['.repeat(depth) + ']'.repeat(depth)).toString('base64url')}`)
  const texts = fc.oneof(damagedText(joinCode.map(encodeJoinCode), 'svcj_'), json, nested, joinCode.map(encodeJoinCode))
  await play(t, runs, texts, (text) => {
    const code = refusedOr(() => parseJoinCode(text))
    const invitation = refusedOr(() => readInvitation(text))
    assert.ok(code !== undefined || invitation === undefined)
    if (code === undefined) return
    // Accepted, so it must be complete: encoding it again gives the same text.
    assert.ok(code.pins.length > 0 && code.pins.every((pin) => /^[0-9a-f]{64}$/.test(pin)))
    assert.ok(code.endpoints.length > 0)
    assert.deepEqual(parseJoinCode(encodeJoinCode(code)), code)
  })
}

export async function mutatedConnectionStrings(t: TestContext, runs: number): Promise<void> {
  const valid = connection.map(formatConnectionString)
  await play(t, runs, fc.oneof(damagedText(valid, 'svcnode://'), valid), (text) => {
    const read = refusedOr(() => parseConnectionString(text))
    if (read === undefined) return
    const again = formatConnectionString(read)
    assert.ok(again.length <= CONNECTION_LIMIT_CHARS || text.length > CONNECTION_LIMIT_CHARS)
    assert.deepEqual(parseConnectionString(again), read)
    assert.ok(!/[\s\p{C}]/u.test(again), 'no unprintable character is accepted')
  })
}
