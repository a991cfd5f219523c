import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSegmentRenderer } from '#control-plane/features/books/render/renderer.ts'
import type { SegmentWork, WorkSegment } from '#control-plane/features/books/render/work.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'

const sampling = { num_step: null, guidance_scale: null, position_temperature: null, class_temperature: null, postprocess_output: null }
const segment = (key: string, speaker = 'ann', text = 'A text of some length that is said once.'): WorkSegment =>
  ({ key, text, speed: 1, seed: 0, gapMs: 0, speaker: { id: speaker } }) as WorkSegment

type Task = {
  readonly keys: readonly string[]
  readonly signal: AbortSignal
  readonly finish: () => void
  readonly fail: (failure: Failure) => void
}
function open(noMachine?: (reason: string, isIdle: boolean) => void) {
  const cached = new Set<string>()
  const tasks: Task[] = []
  let arrived = Promise.withResolvers<void>()
  const renderer = createSegmentRenderer({
    cache: {
      find: async (keys) =>
        new Map(keys.filter((key) => cached.has(key)).map((key) => [key, { samples: 1, sampleRate: 1, isDoubtful: false }])),
    },
    speakGroup: (group: readonly SegmentWork[], { signal }, done) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      const finish = () => {
        for (const work of group) {
          cached.add(work.segment.key)
          done(work)
        }
        resolve()
      }
      tasks.push({ keys: group.map((work) => work.segment.key), signal, finish, fail: reject })
      arrived.resolve()
      arrived = Promise.withResolvers()
      return promise
    },
    lanes: () => 2,
    clock: { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(1, signal) },
    log: silentLog,
  })
  const task = async (at: number) => {
    while (tasks.length <= at) await arrived.promise
    return tasks[at]!
  }
  const render = (segments: WorkSegment[]) =>
    renderer.render({
      ...{ segments, sampling, priority: 1, signal: new AbortController().signal },
      noMachine:
        noMachine &&
        ((reason, rest, isIdle) => {
          noMachine(reason, isIdle)
          return rest()
        }),
    })
  return { render, task, tasks, cached }
}

test('segments of one voice share a task, and finish in any order', async () => {
  const { render, task } = open()
  const book = render([segment('1'), segment('2', 'bob'), segment('3')])
  const [first, second] = [await task(0), await task(1)]
  assert.deepEqual([first.keys, second.keys], [['1', '3'], ['2']])
  second.finish()
  await book.ready('2')
  first.finish()
  await Promise.all([book.ready('1'), book.ready('3')])
  await book.close()
})

test('two renderings share a segment in flight; if its owner stops, the other one renders it', async () => {
  const { render, task, tasks } = open()
  const first = render([segment('1')])
  const owner = await task(0)
  const second = render([segment('1')])
  owner.finish()
  await Promise.all([first.ready('1'), second.ready('1')])
  assert.equal(tasks.length, 1)

  const third = render([segment('2')])
  await task(1)
  const fourth = render([segment('2')])
  await third.close()
  assert.ok(tasks[1]!.signal.aborted)
  ;(await task(2)).finish()
  await fourth.ready('2')
  for (const each of [first, second, fourth]) await each.close()
})

test('a segment whose task fails is tried alone, three times in all', async () => {
  const { render, task } = open()
  const book = render([segment('1'), segment('2')])
  ;(await task(0)).fail(new Failure('WORKER_FAILED', 'once'))
  const [a, b] = [await task(1), await task(2)]
  assert.deepEqual([a.keys, b.keys], [['1'], ['2']])
  b.finish()
  await book.ready('2')
  a.fail(new Failure('WORKER_FAILED', 'twice'))
  ;(await task(3)).fail(new Failure('WORKER_FAILED', 'three times'))
  await assert.rejects(book.ready('1'), /three times/)
  await book.close()
})

test('a rendering without a machine waits for one, however long it takes; a person who waits is told at once', async () => {
  const away = new Failure('NO_CAPABLE_WORKER', 'no machine')
  const reasons: string[] = []
  const idle: boolean[] = []
  const patient = open((reason, isIdle) => {
    reasons.push(reason)
    idle.push(isIdle)
  })
  const book = patient.render([segment('1'), segment('2', 'bob')])
  for (let at = 0; at < 40; at++) (await patient.task(at)).fail(away)
  ;(await patient.task(40)).finish()
  ;(await patient.task(41)).finish()
  await Promise.all([book.ready('1'), book.ready('2')])
  assert.deepEqual(reasons, Array(40).fill('no machine'))
  assert.deepEqual(idle.slice(0, 2), [false, true], 'it is idle when no voice has a machine')
  await book.close()

  const hurried = open()
  const preview = hurried.render([segment('1')])
  for (let at = 0; at < 3; at++) (await hurried.task(at)).fail(away)
  await assert.rejects(preview.ready('1'), /no machine/)
  await preview.close()
})

test('a full disk ends the rendering, and a lost segment is rendered again', async () => {
  const { render, task, cached } = open()
  const full = render([segment('1')])
  ;(await task(0)).fail(new Failure('STORAGE_FULL', 'The disk is full.'))
  await assert.rejects(full.ready('1'), /disk is full/)
  await full.close()

  cached.add('2')
  const book = render([segment('2')])
  await book.ready('2')
  cached.delete('2')
  book.again(segment('2'))
  ;(await task(1)).finish()
  await book.ready('2')
  await book.close()
})
