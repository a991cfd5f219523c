// Keys of spoken lines, the groups of a task, and the part of a take that is heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dubDoneFrame } from '#control-plane/features/dubbing/make/generate/done.rules.ts'
import { audiblePart } from '#control-plane/features/dubbing/voice/speak/audible.rules.ts'
import { groupLines, MAX_GROUP_SECONDS, seedOfTake, takeKey, takeNumber } from '#control-plane/features/dubbing/voice/speak/takes.rules.ts'
import { toS16 } from '#shared/audio/pcm.ts'

const VOICE = { engine: 'e', implementation: 'i', modelDigest: 'm', language: 'en', digest: 'd' }
const SPOKEN = { text: 'Hello.', speed: 1, numStep: 16, guidance: 2 }

test('a key names everything that the sound depends on', () => {
  const key = takeKey(VOICE, SPOKEN, 0, 0)
  const others = [
    ...Object.keys(VOICE).map((name) => takeKey({ ...VOICE, [name]: 'x' }, SPOKEN, 0, 0)),
    takeKey(VOICE, { ...SPOKEN, text: 'Hello!' }, 0, 0),
    takeKey(VOICE, { ...SPOKEN, speed: 1.1 }, 0, 0),
    takeKey(VOICE, { ...SPOKEN, numStep: 8 }, 0, 0),
    takeKey(VOICE, { ...SPOKEN, guidance: 3 }, 0, 0),
    takeKey(VOICE, SPOKEN, 1, 0),
    takeKey(VOICE, SPOKEN, 0, 1),
  ]
  assert.equal(new Set([key, ...others]).size, others.length + 1)
  assert.equal(takeKey({ ...VOICE }, { ...SPOKEN }, 0, 0), key)
  assert.equal(seedOfTake(key), Number.parseInt(key.slice(0, 8), 16))
})

test('the latest take of an unchanged line counts, and asking again gives the next', () => {
  const keyAt = (takeNo: number) => `k${takeNo}`
  for (const [known, isAgain, expected] of [
    [[], false, 0],
    [[], true, 0],
    [['k0'], false, 0],
    [['k0'], true, 1],
    [['other', 'k0', 'k1'], false, 1],
    [['other', 'k0', 'k1'], true, 2],
    [['other'], true, 0],
  ] as const)
    assert.equal(takeNumber(keyAt, new Set(known), isAgain), expected, `${known} ${isAgain}`)
})

test('groups have one voice and speed, hold every line once in the order of the film, and at most 45 s unless a line is longer', () => {
  const line = fc.record({
    voice: fc.integer({ min: 0, max: 2 }),
    speed: fc.constantFrom(1, 1.2),
    seconds: fc.double({ min: 0.5, max: 60, noNaN: true }),
    startUs: fc.integer({ min: 0, max: 1e9 }),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const groups = groupLines(lines)
      assert.deepEqual(
        groups.flat().sort((a, b) => a - b),
        lines.map((_, index) => index),
      )
      for (const group of groups) {
        const members = group.map((index) => lines[index]!)
        assert.equal(new Set(members.map(({ voice, speed }) => `${voice} ${speed}`)).size, 1)
        for (const [index, { startUs }] of members.entries()) assert.ok(index === 0 || members[index - 1]!.startUs <= startUs)
        const seconds = members.reduce((sum, member) => sum + member.seconds, 0)
        assert.ok(members.length === 1 || seconds <= MAX_GROUP_SECONDS)
      }
    }),
  )
})

test('the part that is heard begins just before the voice and keeps its end', () => {
  const rate = 16_000
  const samples = new Float32Array(2 * rate)
  for (let at = 0.6 * rate; at < 1.4 * rate; at++) samples[at] = 0.3 * Math.sin(at / 5)
  const part = audiblePart(toS16(samples), rate)!
  assert.ok(Math.abs(part.from / rate - 0.595) < 0.002, `${part.from}`)
  assert.ok(part.to / rate > 1.44 && part.to / rate < 1.48, `${part.to}`)
  assert.equal(audiblePart(new Uint8Array(2 * rate), rate), null)
  assert.equal(audiblePart(new Uint8Array(0), rate), null)
  assert.deepEqual(audiblePart(toS16(samples.subarray(0.6 * rate, 1.4 * rate)), rate)!.from, 0)
})

test('the last event of a long film leaves out what clients can read elsewhere', () => {
  const short = {
    ...{ segments_processed: 1, language_code: 'en', timing_strategy: 'smart_fit' as const },
    ...{ sync_scores: [1], fit_status: [], seg_hashes: {}, seg_num_step: {}, tracks: ['en'] },
  }
  assert.deepEqual(dubDoneFrame(short), { ...short, type: 'done' })
  const lines = Array.from({ length: 5_000 }, (_, index) => `s${index}`)
  const frame = dubDoneFrame({
    ...short,
    fit_status: lines.map(() => ({ status: 'overflow_trimmed', audio_rate: 1.234, overflow_s: 0.123 })),
    seg_hashes: Object.fromEntries(lines.map((id) => [id, '0123456789abcdef'])),
  })
  assert.deepEqual(frame.omitted, ['fit_status'])
  assert.ok(JSON.stringify(frame).length < 256 * 1024)
})
