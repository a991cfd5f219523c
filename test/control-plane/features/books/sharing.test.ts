// Time that machines which share a book need, on a clock that only counts their work: the cost of the division of the book, without the
// programs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSegmentRenderer } from '#control-plane/features/books/render/renderer.ts'
import type { SpeakGroup } from '#control-plane/features/books/render/speak-group.ts'
import type { WorkSegment } from '#control-plane/features/books/render/work.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'

const PLACES = 4
/** Tasks that wait, so that no place is empty between two of them. */
const WAITING = 2
/** Between two tasks of a place. */
const PAUSE_SECONDS = 0.05
const SETTLED_TURNS = 10
const sampling = { num_step: null, guidance_scale: null, position_temperature: null, class_temperature: null, postprocess_output: null }
/** An hour. */
const BOOK = Array.from(
  { length: 300 },
  (_, at) =>
    ({ key: `${at}`, text: 'x', speed: 1, seed: 0, seconds: 6 + ((at * 7) % 13), gapMs: 0, speaker: { id: 'ann' } }) as WorkSegment,
)
const WORK_SECONDS = BOOK.reduce((sum, { seconds }) => sum + seconds, 0)

type Task = { readonly seconds: number; readonly finish: () => void }
/** `speeds`: seconds of speech that a place of each machine renders in one second. `diesAt`: when the last machine is gone. */
async function shared(speeds: readonly number[], diesAt = Number.POSITIVE_INFINITY): Promise<{ seconds: number; againSeconds: number }> {
  const cached = new Set<string>()
  const queue: Task[] = []
  let running: { readonly task: Task; readonly machine: number; readonly until: number }[] = []
  let now = 0
  let againSeconds = 0
  const machines = () => (now < diesAt ? speeds : speeds.slice(0, -1))
  const speakGroup: SpeakGroup = (group, _, done) =>
    new Promise((resolve) => {
      const finish = () => {
        for (const work of group) {
          cached.add(work.segment.key)
          done(work)
        }
        resolve()
      }
      queue.push({ seconds: group.reduce((sum, { seconds }) => sum + seconds, 0), finish })
    })
  const book = createSegmentRenderer({
    cache: {
      find: async (keys) =>
        new Map(keys.filter((key) => cached.has(key)).map((key) => [key, { samples: 1, sampleRate: 1, isDoubtful: false }])),
    },
    speakGroup,
    lanes: () => PLACES * machines().length + WAITING,
    clock: systemClock,
    log: silentLog,
  }).render({ segments: BOOK, sampling, priority: 1, signal: new AbortController().signal })
  while (cached.size < BOOK.length) {
    for (let turns = 0; turns < SETTLED_TURNS; turns++) await nextTurn()
    for (const [machine, speed] of machines().entries())
      while (running.filter((one) => one.machine === machine).length < PLACES && queue.length > 0) {
        const task = queue.shift()!
        running.push({ task, machine, until: now + PAUSE_SECONDS + task.seconds / speed })
      }
    const next = running.reduce((first, one) => (one.until < first.until ? one : first))
    if (now < diesAt && next.until >= diesAt) {
      now = diesAt
      const lost = running.filter(({ machine }) => machine === speeds.length - 1)
      running = running.filter((one) => !lost.includes(one))
      againSeconds = lost.reduce((sum, { task }) => sum + task.seconds, 0)
      queue.unshift(...lost.map(({ task }) => task))
      continue
    }
    now = next.until
    running = running.filter((one) => one !== next)
    next.task.finish()
  }
  await book.close()
  return { seconds: now, againSeconds }
}

test('one to four machines use nine tenths of their speed, unequal ones four fifths', async (t) => {
  for (const speeds of [[1], [1, 1], [1, 1, 1], [1, 1, 1, 1], [1, 0.5], [1, 0.8, 0.3, 0.2]]) {
    const { seconds } = await shared(speeds)
    const ideal = WORK_SECONDS / (PLACES * speeds.reduce((sum, speed) => sum + speed, 0))
    t.diagnostic(`speeds ${speeds.join(', ')}: ${(ideal / seconds).toFixed(2)} of the ideal`)
    assert.ok(ideal / seconds >= (new Set(speeds).size === 1 ? 0.9 : 0.8), `${speeds.join(', ')}: ${seconds.toFixed(0)} s`)
  }
})

test('a machine that dies costs what it was speaking', async (t) => {
  const whole = (await shared([1, 1, 1, 1])).seconds
  const { seconds, againSeconds } = await shared([1, 1, 1, 1], whole / 2)
  const ideal = whole / 2 + (whole / 2) * (4 / 3) + againSeconds / (3 * PLACES)
  t.diagnostic(
    `${seconds.toFixed(0)} s of ${ideal.toFixed(0)} s at best, ${whole.toFixed(0)} s without; ${againSeconds.toFixed(0)} s spoken again`,
  )
  assert.ok(againSeconds > 0 && seconds <= ideal * 1.1)
})
