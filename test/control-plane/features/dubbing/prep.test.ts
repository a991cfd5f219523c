// The preparation of a dub: killed at every fifth write, cancelled, and with a voice that is isolated.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { lengthRemark } from '#control-plane/features/dubbing/film/prep/prep.rules.ts'
import type { JobFrame, StepContext } from '#control-plane/jobs/job-type.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ended } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { type Doubles, framesIn, killedPrep, ORDER, open, order, PROBE, RATE, SECONDS, SOURCE, sampleAt, writeSound } from './kills/prep.ts'

test('the isolated voice has both channels, without a seam between its parts', async (t) => {
  const { world, calls, store, files, start } = open(t, temporaryFolder(t))
  await start('one', 'r1')
  const view = await ended(world, 'prep_one')
  assert.equal(view.record.job.status, 'done', view.record.job.failure?.message ?? '')
  assert.deepEqual(calls, ['probe', 'extract', 'separate', 'separate', 'thumb', 'scenes'])
  assert.deepEqual(order(await framesIn(world, 'prep_one')), ORDER)
  const dub = store.dubs.find('one')!
  assert.deepEqual([dub.options.scene_cuts, dub.sound?.durationUs], [[3_000_000], SECONDS * 1e6])
  const voice = await openBlocks(files.pathOf(dub.vocals!))
  assert.equal(voice.samples, SECONDS * RATE)
  const around = await voice.read(59 * RATE, 2 * RATE)
  for (let frame = 0; frame < 2 * RATE; frame++)
    for (const channel of [0, 1]) {
      const wanted = Math.trunc(sampleAt(59 * RATE + frame, channel) / 2)
      if (around.readInt16LE(4 * frame + 2 * channel) !== wanted) assert.fail(`frame ${frame}, channel ${channel}`)
    }

  await start('two', 'r2')
  await ended(world, 'prep_two')
  assert.deepEqual(calls.slice(6), ['probe'], 'everything else is there')
  assert.deepEqual(order(await framesIn(world, 'prep_two')), ['extract_start', 'extract_done', 'cached', 'ready'])
  assert.deepEqual((await framesIn(world, 'prep_two'))[2], { type: 'cached', has_bg: true, scene_count: 1 })
})

test('a preparation that is killed at a write continues, and repeats one step at most', (t) => killedPrep(t, 5))

test('the voice is isolated once the engines of the machine run again, and not left out meanwhile', async (t) => {
  let looks = 0
  const found: ReturnType<Doubles['find']> = { engine: 'htdemucs', model: 'm', offer: offer({ engine: 'htdemucs' }) }
  const { world, store, start } = open(t, temporaryFolder(t), {
    change: {
      // The machine is away at the first two looks of each step.
      find() {
        if (++looks % 3 !== 0) throw new Failure('NOT_READY', 'The engines of this machine are starting.')
        return found
      },
    },
  })
  await start('one', 'r1')
  const view = await ended(world, 'prep_one')
  assert.equal(view.record.job.status, 'done', view.record.job.failure?.message ?? '')
  assert.ok(store.dubs.find('one')!.vocals)
  assert.deepEqual(order(await framesIn(world, 'prep_one')), ORDER)
})

test('two preparations of a film share its voice, and the parts of it go with the last', async (t) => {
  const { world, calls, store, files, separation, start } = open(t, temporaryFolder(t), {
    change: { find: () => null },
  })
  for (const id of ['one', 'two']) {
    await start(id, id)
    await ended(world, `prep_${id}`)
    assert.equal(store.dubs.find(id)?.vocals, null)
  }
  const frames: { readonly type: string }[] = []
  const context = {
    signal: new AbortController().signal,
    report() {},
    whileWaiting: <T>(work: () => Promise<T>) => work(),
    emit: async (frame: { readonly type: string }) => void frames.push(frame),
  } as unknown as StepContext<JobFrame>
  const given = (id: string) => ({ dub: id, run: id, source: SOURCE, inputType: 'video', filename: 'film.mp4' }) as const
  const part = (id: string, at: number) => separation.part(given(id), at, 2, context)
  const join = async (id: string) => (await separation.join(given(id), true, context)).json
  await part('one', 0)
  await part('two', 0)
  await part('one', 1)
  assert.deepEqual(await join('one'), { has_bg: true })
  await part('two', 1)
  assert.deepEqual(await join('two'), { has_bg: true })
  assert.deepEqual(
    [calls.filter((call) => call === 'separate').length, store.dubs.find('two')?.vocals, frames],
    [2, store.dubs.find('one')!.vocals, []],
  )
  const left = () => world.db.prepare(`select count(*) from dub_file where kind = 'vocals_part'`).pluck().get()
  assert.equal(left(), 0)

  // A crash between the join and the removal of the parts.
  store.dubs.change('two', { vocals: null })
  await files.remove([store.dubs.find('one')!.vocals!])
  await part('two', 0)
  store.dubs.change('two', { vocals: store.dubs.find('one')!.vocals })
  await join('two')
  assert.equal(left(), 0)
})

test('a failed separation is a warning, and the dub works with the whole sound', async (t) => {
  const { world, store, start } = open(t, temporaryFolder(t), {
    change: { voiceOf: () => Promise.reject(new Failure('ENGINE_CRASHED', 'The engine died.')) },
  })
  await start('one', 'r')
  assert.equal((await ended(world, 'prep_one')).record.job.status, 'done')
  const frames = await framesIn(world, 'prep_one')
  const warning = frames.find(({ type }) => type === 'warning') as unknown as { stage: string; error_class: string }
  assert.deepEqual([warning.stage, warning.error_class], ['demucs', 'ENGINE_CRASHED'])
  assert.deepEqual(
    frames.find(({ type }) => type === 'demucs_done'),
    { type: 'demucs_done', has_bg: false },
  )
  assert.equal(store.dubs.find('one')?.vocals, null)
})

test('a picture and cuts that cannot be found are warnings with their stage', async (t) => {
  const fail = async () => {
    throw new Failure('BAD_REQUEST', 'The picture is damaged.')
  }
  const { world, store, start } = open(t, temporaryFolder(t), { change: { thumb: fail, scenes: fail } })
  await start('one', 'r')
  assert.equal((await ended(world, 'prep_one')).record.job.status, 'done')
  const frames = (await framesIn(world, 'prep_one')) as readonly { type: string; stage?: string; error_class?: string }[]
  assert.deepEqual(
    frames.flatMap(({ type, stage, error_class }) => (type === 'warning' ? [[stage, error_class]] : [])),
    [
      ['thumbnail', 'BAD_REQUEST'],
      ['scene', 'BAD_REQUEST'],
    ],
  )
  assert.deepEqual(
    frames.find(({ type }) => type === 'scene_done'),
    { type: 'scene_done', count: 0 },
  )
  assert.deepEqual([store.dubs.find('one')!.thumb, frames.at(-1)!.type], [null, 'ready'])
})

test('a full disk, a missing program and a killed one do not end the preparation, and the film stays', async (t) => {
  const faults = (['STORAGE_FULL', 'PROGRAM_MISSING', 'PROGRAM_KILLED', 'STORAGE_FULL', 'PROGRAM_KILLED'] as const).map(
    (code) => new Failure(code, 'Not now.'),
  )
  const wanted: number[] = []
  let kept = 0
  const { world, store, start } = open(t, temporaryFolder(t), {
    change: {
      // The header announces eleven days.
      probe: async () => ({ ...PROBE, durationUs: 1e12 }) as never,
      async require(bytes) {
        wanted.push(bytes)
        const fault = faults.shift()
        if (fault) throw fault
      },
      async sleep() {
        if (store.dubs.find('one')) kept++
      },
    },
  })
  await start('one', 'r')
  assert.equal((await ended(world, 'prep_one')).record.job.status, 'done')
  assert.equal(kept, 5)
  const frames = (await framesIn(world, 'prep_one')) as readonly { type: string; stage?: string; error_class?: string }[]
  assert.deepEqual(
    frames.flatMap(({ type, stage, error_class }) => (type === 'warning' && stage === 'extract' ? [error_class] : [])),
    ['STORAGE_FULL', 'PROGRAM_MISSING', 'PROGRAM_KILLED', 'BAD_REQUEST'],
    'each is told once, and then the wrong length',
  )
  assert.ok(Math.max(...wanted) <= 12 * 3600 * 224_000, 'the space of the longest film that is accepted')
})

test('a picture that is longer than the sound is no incomplete film', async (t) => {
  const extract: Doubles['extract'] = async (_source, _film, _stream, to) => ({
    ...{ sound: await writeSound(to.sound, 2), speech: await writeSound(to.speech, 1) },
    ...{ durationUs: SECONDS * 1e6, decodedUs: SECONDS * 0.5e6, pictureUs: null },
  })
  const { world, start } = open(t, temporaryFolder(t), { change: { extract } })
  await start('one', 'r')
  assert.equal((await ended(world, 'prep_one')).record.job.status, 'done')
  const frames = (await framesIn(world, 'prep_one')) as readonly { type: string; stage?: string; reason?: string; duration?: number }[]
  const [remark] = frames.filter(({ type, stage }) => type === 'warning' && stage === 'extract')
  assert.match(remark!.reason!, /^The sound ends after .* s and the picture after .* s\. The rest is silent;/)
  assert.equal(frames.find(({ type }) => type === 'extract_done')!.duration, SECONDS)
})

test('the length of picture and sound is remarked on where they differ, and never called incomplete for more sound than was announced', () => {
  const of = (decodedUs: number, pictureUs: number | null, wholeUs: number | null, durationUs = decodedUs) =>
    lengthRemark({ durationUs, decodedUs, pictureUs }, wholeUs)
  assert.equal(of(60e6, 58e6, 58e6), 'The picture ends after 58.0 s and the sound after 60.0 s. The last picture stays until then.')
  // Matroska: the file announces the longer one.
  assert.match(of(9.5e6, 8e6, 9.5e6)!, /^The picture ends after 8\.0 s/)
  assert.match(of(60e6, 40_000, 40_000)!, /^The picture ends after 0\.0 s/)
  assert.match(of(58e6, 60e6, 60e6, 60e6)!, /^The sound ends after 58\.0 s and the picture after 60\.0 s\./)
  assert.match(of(40e6, null, 60e6)!, /^40\.0 s of sound were decoded where the file announces 60\.0 s\. The file may be incomplete\.$/)
  for (const none of [of(60e6, null, 58e6), of(60e6, null, null), of(60e6, 59.5e6, 59.5e6), of(8e6, 7.5e6, 7.5e6)]) assert.equal(none, null)
})

test('sound that an earlier version extracted stays with its dubs, and a new upload of the film gets sound of its own', async (t) => {
  const { world, calls, store, files, steps, start } = open(t, temporaryFolder(t))
  const keyed = (kind: string) => keyOf({ kind, version: 1, inputs: [SOURCE], params: { stream: 0, leadUs: 0 } })
  const old = { durationUs: 5e6, sound: keyed('dub.sound'), speech: keyed('dub.speech') }
  store.dubs.create({ id: 'old', filename: 'film.mp4', inputType: 'video', sourceDigest: SOURCE, createdAt: 1 })
  store.dubs.change('old', { probe: PROBE as never, sound: old })
  for (const [name, kind, channels] of [
    [old.sound, 'sound', 2],
    [old.speech, 'speech', 1],
  ] as const) {
    await writeSound(files.pathOf(name), channels)
    await files.adopt(name, { kind, maker: 'old', detail: JSON.stringify({ durationUs: old.durationUs }) }, 'old')
  }
  await start('one', 'r')
  await ended(world, 'prep_one')
  const { sound } = store.dubs.find('one')!
  assert.deepEqual([calls.filter((call) => call === 'extract').length, sound!.durationUs], [1, SECONDS * 1e6])
  assert.ok((await files.find(old.sound)) && (await files.find(old.speech)) && sound!.sound !== old.sound)

  await files.remove([old.speech])
  await steps.requireSound('old', new AbortController().signal)
  assert.ok((await files.find(old.sound)) && (await files.find(old.speech)), 'made again under the names that the dub has')
  assert.deepEqual([store.dubs.find('old')!.sound, calls.filter((call) => call === 'extract').length], [old, 2])
})

test('a program that is killed each time ends the preparation, and nothing is left', async (t) => {
  let runs = 0
  const { world, store, start, onDisk } = open(t, temporaryFolder(t), {
    change: {
      async probe() {
        runs++
        throw new Failure('PROGRAM_KILLED', 'It was killed.')
      },
    },
  })
  await start('one', 'r')
  assert.equal((await ended(world, 'prep_one')).record.job.failure?.code, 'PROGRAM_KILLED')
  assert.deepEqual([runs, store.dubs.find('one'), onDisk()], [3, null, []])
})

test('a cancel during the extraction removes what was made, and the dub', async (t) => {
  const begun = Promise.withResolvers<string>()
  const { world, store, start, onDisk } = open(t, temporaryFolder(t), {
    change: {
      extract(_source, _film, _stream, to, signal) {
        mkdirSync(to.sound)
        begun.resolve(to.sound)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    },
  })
  await start('one', 'r')
  const path = await begun.promise
  await world.jobs.cancel('prep_one')
  assert.equal((await ended(world, 'prep_one')).record.job.status, 'cancelled')
  assert.deepEqual(order(await framesIn(world, 'prep_one')), ['extract_start', 'cancelled'])
  assert.equal(existsSync(path), false)
  assert.equal(store.dubs.find('one'), null)
  assert.deepEqual(onDisk(), [])
})
