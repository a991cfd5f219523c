// The machines for the tasks of a dictation, without processes: the target, machines that are lost, and models that are being installed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLivePlaces, type LiveMachines } from '#control-plane/features/listening/dictation/live/places.ts'
import { createDictationTasks } from '#control-plane/features/listening/dictation/live/tasks.ts'
import { transcribeSocket } from '#control-plane/features/listening/dictation/live/transcribe.socket.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { offer } from '#test/support/doubles/offers.ts'

const asr = (workerId: string, engine = 'pocketsphinx', more = {}) => offer({ operation: 'asr', workerId, engine, ...more })
const { signal } = new AbortController()
const NONE = 'The model sherpa-whisper-tiny is not installed, so pocketsphinx was used.'

function stage(offers = [asr('box'), asr('desk'), asr('local')]) {
  const state = { target: 'box', offers, unusable: new Set<string>(), fallback: null as string | null, isChosen: false }
  const machines: LiveMachines = {
    offered: () => state.offers,
    target: () => state.target,
    isUsable: (id) => !state.unusable.has(id),
    fallback: () => state.fallback,
    labelOf: (id) => id,
    chosen: () => 'sherpa-whisper-tiny',
    isChosen: () => state.isChosen,
  }
  return { state, machines, places: createLivePlaces(machines, '') }
}

test('the place follows the target, and a machine that was lost does not return', () => {
  const { state, places } = stage()
  const first = places.current()
  assert.deepEqual([first.recogniser.workerId, first.notice, places.isCurrent(first)], ['box', NONE, true])
  assert.equal(first.needs?.for, 'dictation')
  state.target = 'desk'
  assert.equal(places.isCurrent(first), false)
  const second = places.current()
  assert.deepEqual([second.recogniser.workerId, second.notice], ['desk', NONE])
  state.unusable.add('desk')
  state.target = 'local'
  state.fallback = 'desk is offline, so this machine was used.'
  assert.equal(places.isCurrent(second), false)
  const third = places.current()
  assert.deepEqual([third.recogniser.workerId, third.notice], ['local', `desk is offline, so this machine was used. ${NONE}`])
  state.unusable.clear()
  state.target = 'desk'
  assert.equal(places.isCurrent(third), true, 'it stays here')
  state.target = 'box'
  assert.equal(places.isCurrent(third), false)
  assert.equal(places.current().recogniser.workerId, 'box')
})

test('the default is replaced also where it is named, as long as the owner did not select it', () => {
  const { state, machines } = stage()
  const named = () => createLivePlaces(machines, 'whisper-tiny').current()
  assert.deepEqual([named().recogniser.engine, named().notice], ['pocketsphinx', NONE])
  assert.throws(() => createLivePlaces(machines, 'sherpa-zipformer-en-20m').current(), { code: 'MODEL_NOT_INSTALLED' })
  state.isChosen = true
  assert.throws(named, { code: 'MODEL_NOT_INSTALLED' })
})

test('auto prefers this machine, and leaves a machine that is lost', () => {
  const { state, places } = stage()
  state.target = 'auto'
  assert.equal(places.current().recogniser.workerId, 'local')
  state.offers = [asr('box'), asr('desk')]
  const place = places.current()
  assert.equal(place.recogniser.workerId, 'box')
  assert.equal(places.giveUp(place), true)
  const next = places.current()
  assert.deepEqual(
    [next.recogniser.workerId, next.notice],
    ['desk', `box can no longer be used, so the dictation goes on without it. ${NONE}`],
  )
  state.unusable.add('desk')
  assert.throws(() => places.current(), { code: 'NOT_READY' }, 'no machine is used that is not approved')
})

test('a chosen machine without the recogniser is named, and this one is used', () => {
  const { state, places } = stage([asr('box', 'tone'), asr('local')])
  const place = places.current()
  assert.equal(place.recogniser.workerId, 'local')
  assert.match(place.notice!, /^box does not have the recogniser of this dictation, so this machine is used\./)
  assert.equal(places.giveUp(place), false)
  state.offers = [asr('box', 'tone')]
  assert.throws(() => places.current(), { code: 'NOT_READY' })
})

test('a running task moves when its machine is left, and a failure of this machine is reported', async () => {
  const { state, places } = stage()
  const clock = createFakeClock()
  const ran: string[] = []
  let begun = Promise.withResolvers<void>()
  const inference = {
    holdInput: () => ({ input: { name: 'audio', sha256: '', size: 0 }, release() {} }),
    async run({ target }: { target: string }, until: AbortSignal) {
      ran.push(target)
      begun.resolve()
      if (target === 'box') return await new Promise((_, reject) => until.addEventListener('abort', () => reject(until.reason)))
      if (target === 'desk') throw new Failure('PINNED_WORKER_UNREACHABLE', 'The chosen machine is offline.')
      if (ran.length > 3) throw new Failure('ENGINE_CRASHED', 'The engine died.')
      return { segments: [], language: 'en', notices: [] }
    },
  } as unknown as Pick<Inference, 'holdInput' | 'run'>
  const tasks = createDictationTasks({ inference, clock, places }, signal)
  const text = tasks.recognise(Buffer.alloc(3_200), false, signal)
  await begun.promise
  begun = Promise.withResolvers()
  clock.advance(1_000)
  assert.deepEqual(ran, ['box'], 'it is still the target')
  state.target = 'desk'
  clock.advance(1_000)
  assert.equal((await text).recogniser.workerId, 'local')
  assert.deepEqual(ran, ['box', 'desk', 'local'])
  await assert.rejects(tasks.recognise(Buffer.alloc(3_200), false, signal), { code: 'ENGINE_CRASHED' })
})

test('a dictation waits for a model that is being installed', async () => {
  const { state, machines } = stage([offer()])
  state.target = 'local'
  const clock = createFakeClock()
  const inference = {
    holdInput: () => ({ input: { name: 'audio', sha256: '', size: 0 }, release() {} }),
    run: async () => ({ segments: [], language: 'en', notices: [] }),
  } as unknown as Pick<Inference, 'holdInput' | 'run'>
  const isInstalling = (repo: string) => repo === 'csukuangfj/sherpa-onnx-whisper-tiny'
  const socket = transcribeSocket({ inference, machines, isInstalling, ffmpegPath: () => null, clock, refine: async () => null })
  const messages = (async function* () {
    yield 'EOF'
  })()
  const query = new URLSearchParams('pcm=1')
  const opening = { query, messages, signal } as unknown as Parameters<typeof socket.frames>[0]
  const frames = socket.frames(opening) as AsyncGenerator<string>
  const next = async () => JSON.parse((await frames.next()).value)
  assert.deepEqual(await next(), { type: 'status', stage: 'downloading' })
  const loading = next()
  await new Promise((resolve) => setImmediate(resolve))
  state.offers = [asr('local', 'sherpa-onnx-asr', { model: 'whisper-tiny' })]
  clock.advance(1_000)
  assert.deepEqual(await loading, { type: 'status', stage: 'loading' })
  assert.equal((await next()).stage, 'ready')
  await frames.return(undefined)
})
