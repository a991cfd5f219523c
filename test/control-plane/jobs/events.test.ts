import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENTS_KEPT } from '#control-plane/jobs/store/job.store.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { framesOf, stage } from '#test/support/doubles/job-stage.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'
import { chosenSeed, seeded } from '#test/support/doubles/seeded.ts'

test('of many events the newest 500 are kept: old progress goes first, the last frame never', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  const { context, go } = await next('a')
  for (let n = 0; n < 300; n++) {
    await context.emit({ type: 'note', n })
    context.report({ fraction: 0.5, secondsLeft: null, frame: { type: 'progress', n } })
    world.clock.advance(1_000)
  }
  while ((await world.jobs.get(id))!.record.lastSeq < 600) await nextTurn()
  let kept = framesOf(await world.jobs.events(id, 0, 1000))
  assert.equal(kept.length, EVENTS_KEPT)
  assert.equal(kept.filter((frame) => frame.type === 'note').length, 300, 'only progress is gone')
  assert.deepEqual(kept.at(-1), { type: 'progress', n: 299 })
  for (let n = 300; n < 700; n++) await context.emit({ type: 'note', n })
  go()
  await ended(world, id)
  const rows = await world.jobs.events(id, 0, 1000)
  kept = framesOf(rows)
  assert.equal(kept.length, EVENTS_KEPT)
  assert.deepEqual(kept.at(-1), { type: 'done' })
  assert.equal(kept.at(-2)?.n, 699)
  const seqs = rows.map(({ seq }) => seq)
  assert.deepEqual(
    seqs,
    [...seqs].sort((a, b) => a - b),
  )
  assert.equal(seqs.at(-1), 300 + 300 + 400 + 1)
})

test('two followers get every event once; one that stops reading costs nothing and catches up', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  const { context, go } = await next('a')
  const signal = new AbortController().signal
  await context.emit({ type: 'note', n: 0 })
  const quick = await world.jobs.follow(id, 0, signal)
  const slow = await world.jobs.follow(id, 0, signal)
  const first = await slow.next()
  assert.equal(first.value?.seq, 1)
  const got: (number | null)[] = []
  const reading = (async () => {
    for await (const { seq } of quick) got.push(seq)
  })()
  for (let n = 1; n < 200; n++) {
    await context.emit({ type: 'note', n })
    if (n % 7 === 0) await nextTurn()
  }
  go()
  await ended(world, id)
  await reading
  const expected = Array.from({ length: 201 }, (_, index) => index + 1)
  assert.deepEqual(got, expected)
  const rest: (number | null)[] = []
  for await (const { seq } of slow) rest.push(seq)
  assert.deepEqual(rest, expected.slice(1))
  const late: (number | null)[] = []
  for await (const { seq } of await world.jobs.follow(id, 150, signal)) late.push(seq)
  assert.deepEqual(late, expected.slice(150))
  await assert.rejects(world.jobs.follow('unknown', 0, signal), { code: 'NOT_FOUND' })
})

test('a live stream is the stored one and never runs backwards, however progress, events and writes interleave', async (t) => {
  const seed = chosenSeed()
  t.diagnostic(`VOICE_STUDIO_SEED=${seed}`)
  const { below } = seeded(seed)
  const { type, next } = stage()
  const world = jobsFor(t, [type({ framing: 'sse' })])
  for (let round = 0; round < 20; round++) {
    const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'], shared: String(round) }, meta: {} })).record.job
    const { context, go } = await next('a')
    const live: { seq: number; payload: string }[] = []
    const following = (async () => {
      for await (const { seq, payload } of await world.jobs.follow(id, 0, new AbortController().signal)) live.push({ seq, payload })
    })()
    let n = 0
    for (let act = 0; act < 60; act++) {
      const kind = below(4)
      if (kind === 0) world.clock.advance(below(300))
      else if (kind === 1) await nextTurn()
      else if (kind === 2) context.report({ fraction: null, secondsLeft: null, frame: { type: 'progress', n: n++ } })
      else await context.emit({ type: 'note', n: n++ })
    }
    context.report({ fraction: 1, secondsLeft: null, frame: { type: 'progress', n: n++ } })
    go()
    await ended(world, id)
    await following
    const stored = await world.jobs.events(id, 0, 1000)
    assert.deepEqual(
      live,
      stored.map(({ seq, payload }) => ({ seq, payload })),
    )
    const numbers = framesOf(stored).flatMap(({ n }) => n ?? [])
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].toSorted((one, other) => one - other),
    )
    assert.equal(numbers.at(-1), n - 1, 'the last progress of a step is stored before its end')
  }
})

test('of progress that comes faster than it is stored the newest is kept, and a write begins five times a second at most', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  const { context } = await next('a')
  for (let ms = 0; ms < 1_000; ms += 10) {
    context.report({ fraction: null, secondsLeft: null, frame: { type: 'progress', n: ms } })
    for (let turns = 0; turns < 5; turns++) await nextTurn()
    world.clock.advance(10)
  }
  for (let turns = 0; turns < 20; turns++) await nextTurn()
  assert.deepEqual(
    framesOf(await world.jobs.events(id, 0, 1000)).map(({ n }) => n),
    [0, 190, 390, 590, 790, 990],
  )
})

test('as many followers as there is room for, also when they are never read', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  await next('a')
  const aborts = Array.from({ length: 128 }, () => new AbortController())
  for (const { signal } of aborts) await world.jobs.follow(id, 0, signal)
  const { signal } = new AbortController()
  await assert.rejects(world.jobs.follow(id, 0, signal), { code: 'QUEUE_FULL' })
  aborts[0]!.abort()
  await world.jobs.follow(id, 0, signal)
})
