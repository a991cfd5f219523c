// A group of lines in which one fails: the others go on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DubVoice } from '#control-plane/features/dubbing/voice/speak/casting.service.ts'
import type { DubManifest } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import type { SpeakPlan } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import type { GroupRequest } from '#control-plane/features/dubbing/voice/speak/speak-group.ts'
import { createSpeaking } from '#control-plane/features/dubbing/voice/speak/speaking.ts'
import type { NewTake } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import type { JobFrame } from '#control-plane/jobs/job-type.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

const TEXTS = ['one', 'bad', 'three']
const manifest = {
  dub: 'd',
  languageCode: 'en',
  numStep: 8,
  guidance: 2,
  lines: TEXTS.map((text, index) => ({ id: `${index}`, text })),
} as unknown as DubManifest
const plan: SpeakPlan = {
  voices: [{ engine: 'e', recording: null } as DubVoice],
  takes: TEXTS.map((text, line) => ({ line, voice: 0, key: `k${line}`, seed: line, text, speed: 1 })),
  groups: [[0, 1, 2]],
  failed: [],
  notices: [],
  routing: [],
}

/** `speak`: what a task does. `placeOf`: as of the casting. */
async function spoken(
  speak: (request: GroupRequest, added: NewTake[]) => void,
  { placeOf = () => 'local', clock = systemClock }: { placeOf?: () => string | null; clock?: Clock } = {},
) {
  const added: NewTake[] = []
  const tasks: string[][] = []
  const frames: JobFrame[] = []
  const settled: number[] = []
  const speaking = createSpeaking({
    casting: { placeOf, refuseWithdrawn: () => {} },
    async speakGroup(request, _, use) {
      tasks.push(request.lines.map(({ text }) => text))
      speak(request, added)
      return use({ sampleRate: 16_000, sounds: request.lines.map(() => Buffer.alloc(2)) })
    },
    takeFiles: {
      add: async (take) => void added.push(take),
      find: async (_dub, _language, _segment, key) =>
        added.some((take) => take.key === key) ? { sampleRate: 1, samples: 1, part: { from: 0, to: 1 }, recordings: [], digest: '' } : null,
    },
    voiceClaims: { claim: () => () => false },
    clock,
  })
  const { signal } = new AbortController()
  const context = {
    signal,
    whileWaiting: <T>(work: () => Promise<T>) => work(),
    emit: async (frame: JobFrame) => void frames.push(frame),
  } as unknown as Parameters<typeof speaking>[3]
  const left = await speaking(manifest, plan, [0, 1, 2], context, { settled: (line) => void settled.push(line) })
  return { added: added.map(({ key }) => key), tasks, frames, settled, left }
}

test('a line that fails is reported, and the others are spoken', async () => {
  const { added, tasks, frames, settled, left } = await spoken(({ lines }) => {
    if (lines.some(({ text }) => text === 'bad')) throw new Failure('WORKER_FAILED', 'The engine failed.')
  })
  assert.deepEqual(added, ['k0', 'k2'])
  assert.deepEqual(tasks, [TEXTS, ['one'], ['bad'], ['three'], ['bad']])
  assert.deepEqual(frames, [{ type: 'error', segment: 1, error: 'The engine failed.' }])
  assert.deepEqual([settled, left], [[0, 2, 1], [{ line: 1, why: 'The engine failed.' }]])
})

test('a group whose task failed once is complete', async () => {
  let failures = 0
  const { added, frames, left } = await spoken(() => {
    if (failures++ === 0) throw new Failure('WORKER_FAILED', 'The engine failed.')
  })
  assert.deepEqual([added, frames, left], [['k0', 'k1', 'k2'], [], []])
})

test('without a machine that has its model a dub waits, says why once, and goes on with the same voice', async () => {
  const clock = createFakeClock()
  let looks = 0
  const places: string[] = []
  const running = spoken(({ target }) => void places.push(target), { placeOf: () => (++looks < 40 ? null : 'box'), clock })
  while (places.length === 0) {
    clock.advance(500)
    await turn()
  }
  const { added, frames, left } = await running
  assert.deepEqual([places, added, left], [['box'], ['k0', 'k1', 'k2'], []])
  assert.deepEqual(
    frames.map(({ type, status }) => [type, status]),
    [['routing_notice', 'waiting']],
  )
  assert.match(String(frames[0]!['reason']), /has the model of e that this dub began with/)
})

test('a voice that was withdrawn fails its lines and does not cancel the generation, and a full disk ends it', async () => {
  const { left } = await spoken(() => {
    throw new Failure('CANCELLED', 'The voice was deleted.')
  })
  assert.deepEqual(
    left.map(({ line }) => line),
    [0, 1, 2],
  )
  await assert.rejects(
    spoken(() => {
      throw new Failure('STORAGE_FULL', 'The disk is full.')
    }),
    /full/,
  )
})
