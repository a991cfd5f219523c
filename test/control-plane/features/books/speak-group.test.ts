import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSpeakGroup } from '#control-plane/features/books/render/speak-group.ts'
import type { SegmentWork } from '#control-plane/features/books/render/work.ts'
import { createOutput } from '#control-plane/tasks/output.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const RATE = 8_000
const sampling = { num_step: null, guidance_scale: null, position_temperature: null, class_temperature: null, postprocess_output: null }
/** Two seconds that are plausible. */
const tone = (hertz: number): Buffer =>
  Buffer.from(toS16(Float32Array.from({ length: 2 * RATE }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / RATE) / 4)))

test('what a machine sent in an attempt that failed is not stored; the sound of the next attempt is', async (t) => {
  const output = createOutput(join(temporaryFolder(t), 'task.out'))
  t.after(() => output.close(false))
  const stored = new Map<string, string>()
  const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  type Deps = Parameters<typeof createSpeakGroup>[0]
  const synthesis = {
    mayBorrow: () => true,
    stream: async ({ isWhole }: { isWhole?: boolean }, signal: AbortSignal) => ({
      pieces: output.read(signal, isWhole),
      result: async () => ({ sample_rate: RATE }),
    }),
  }
  const speakGroup = createSpeakGroup({
    speech: { synthesis, voicing: { refuseWithdrawn() {} } } as unknown as Deps['speech'],
    cache: { add: async (key, { pcm }) => void stored.set(key, digestOf(pcm)) } as Deps['cache'],
    withdrawals: { claim: () => () => false },
  })
  const speaker = { id: 'ann', engine: 'tone', modelDigest: '', params: {}, reference: null, targetNow: () => 'auto', voiced: {} }
  const workOf = (key: string) =>
    ({ segment: { key, text: 'Some words.', seed: 0, speed: 1, speaker }, seconds: 2, failures: 0, first: null }) as unknown as SegmentWork
  const group = ['a', 'b'].map(workOf)
  const attempt = (...parts: Buffer[]) => {
    output.begin()
    let at = 0
    for (const [part, bytes] of parts.entries()) {
      output.take(part, at, bytes)
      at += bytes.length
    }
  }

  const done: string[] = []
  const speaking = speakGroup(group, { sampling, priority: 1, signal: new AbortController().signal }, ({ segment }) => {
    done.push(segment.key)
  })
  // A machine sends the first part and half of the second one, announces something else, and fails.
  attempt(tone(900), tone(1_000).subarray(0, 5_000))
  assert.throws(
    () => output.verify(5, Buffer.alloc(32)),
    (error) => error instanceof Failure && error.code === 'SIZE_MISMATCH',
  )
  for (let turns = 0; turns < 5; turns++) await turn()
  assert.deepEqual([stored.size, done], [0, []])
  const right = [tone(300), tone(400)]
  attempt(...right)
  output.verify(right[0]!.length + right[1]!.length, createHash('sha256').update(Buffer.concat(right)).digest())
  output.end(null)
  await speaking
  assert.deepEqual(
    [done, [...stored]],
    [
      ['a', 'b'],
      [
        ['a', digestOf(right[0]!)],
        ['b', digestOf(right[1]!)],
      ],
    ],
  )
})
