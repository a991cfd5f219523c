// The preparation of a dub: killed at every write, cancelled, and with a voice that is isolated.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DubCore } from '#control-plane/areas/dubbing/core.ts'
import { createDubFiles } from '#control-plane/areas/dubbing/files/dub-files.ts'
import { createFileRows } from '#control-plane/areas/dubbing/files/file.store.ts'
import { createRemoval } from '#control-plane/areas/dubbing/history/removal.ts'
import { createFilmSteps } from '#control-plane/areas/dubbing/prep/film-steps.ts'
import { createPrepJobs } from '#control-plane/areas/dubbing/prep/prep-job.ts'
import type { Separating } from '#control-plane/areas/dubbing/prep/separating.ts'
import { createSeparationSteps } from '#control-plane/areas/dubbing/prep/separation-steps.ts'
import { createDubStore } from '#control-plane/areas/dubbing/store/dub-store.ts'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { FilmMedia } from '#control-plane/media/film/film.ts'
import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { framesOf } from '#test/support/doubles/job-stage.ts'
import { ended, type JobWorld, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const SOURCE = 'a'.repeat(64)
/** More than one block. */
const SECONDS = 61
/** The double of the film is small. */
const RATE = 1_000
const PROBE = { kind: 'video', durationUs: SECONDS * 1e6, audio: [{ position: 0, leadUs: 0 }], defaultAudio: 0 }
const never = new Promise<never>(() => {})

/** Left and right of the film, at this frame: each in a range of its own. */
const sampleAt = (frame: number, channel: number) => (channel === 0 ? 1 : -1) * (1000 + (frame % 7_919))
async function writeSound(folder: string, channels: 1 | 2) {
  const blocks = await writeBlocks(folder, { sampleRate: RATE, channels, encoding: 's16' })
  const samples = Int16Array.from({ length: SECONDS * RATE * channels }, (_, at) => sampleAt(Math.floor(at / channels), at % channels))
  await blocks.write(new Uint8Array(samples.buffer))
  return blocks.seal()
}

function open(
  t: TestContext,
  folder: string,
  { killAt = null, change = {} }: { killAt?: KillPoint | null; change?: Partial<Doubles> } = {},
) {
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  t.after(world.close)
  const calls: string[] = []
  const alive =
    <A extends unknown[], R>(name: string, run: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      if (world.isDead()) return never
      calls.push(name)
      return run(...args)
    }
  const doubles: Doubles = {
    probe: async () => PROBE as never,
    async extract(_source, _film, _stream, to) {
      const sound = await writeSound(to.sound, 2)
      return { sound, speech: await writeSound(to.speech, 1), durationUs: SECONDS * 1e6, decodedUs: SECONDS * 1e6 }
    },
    async thumb(_source, _film, to) {
      writeFileSync(to, 'jpeg')
      return true
    },
    scenes: async () => [3_000_000],
    find: () => ({ engine: 'htdemucs', model: 'm', offer: offer({ engine: 'htdemucs' }) }),
    async voiceOf(pcm) {
      const channel = (at: number) =>
        Buffer.from(Int16Array.from({ length: pcm.length / 4 }, (_, n) => pcm.readInt16LE(4 * n + 2 * at) / 2).buffer)
      return [channel(0), channel(1)]
    },
    ...change,
  }
  const { probe, extract, thumb, scenes, find, voiceOf, require = async () => {}, sleep = async () => {} } = doubles
  const film = {
    probe: alive('probe', probe),
    extract: alive('extract', extract),
    thumb: alive('thumb', thumb),
    scenes: alive('scenes', scenes),
  }
  const rows = createFileRows({ db: world.db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows, clock: systemClock })
  const store = createDubStore({ db: world.db })
  const dub = (id: string) => store.dubs.find(id)!
  const core = { store, files, rows, film, disk: { require }, dub, saved: () => {} } as unknown as DubCore
  const separating = { find, voiceOf: alive('separate', voiceOf) }
  const removal = createRemoval({ core, machines: { forgetVoices: async () => {} } })
  const steps = createFilmSteps(core)
  const prep = createPrepJobs({ core, jobs: world.jobs, film: steps, separating, removal, clock: { sleep } })
  /** With an engine, also where the preparation has none. */
  const separation = createSeparationSteps({
    core,
    separating: { ...separating, find: () => ({ engine: 'htdemucs', model: 'm', offer: offer({ engine: 'htdemucs' }) }) },
  })
  async function start(id: string, run: string) {
    const from = join(folder, 'upload')
    writeFileSync(from, 'film')
    await files.keep(SOURCE, from, { kind: 'source', maker: run }, null)
    store.dubs.create({ id, filename: 'film.mp4', inputType: 'video', sourceDigest: SOURCE, createdAt: 1 })
    files.use(id, SOURCE)
    return prep.start({ dub: id, run, source: SOURCE, inputType: 'video', filename: 'film.mp4' })
  }
  return { world, calls, store, files, steps, separation, start, onDisk: () => readdirSync(join(folder, 'dub_store', 'files')) }
}
type Doubles = Pick<FilmMedia, 'probe' | 'extract' | 'thumb' | 'scenes'> &
  Separating & { readonly require?: DubCore['disk']['require']; readonly sleep?: () => Promise<void> }
const framesIn = async ({ jobs }: JobWorld, id: string) => framesOf(await jobs.events(id, 0, 500))
const ORDER = ['extract_start', 'extract_done', 'demucs_start', 'demucs_progress', 'demucs_done', 'scene_start', 'scene_done', 'ready']
/** Without the progress that a later one replaced. */
const order = (frames: readonly { type: string }[]) => frames.map(({ type }) => type).filter((type, at, all) => type !== all[at + 1])

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

test('a preparation that is killed at any write continues, and repeats one step at most', async (t) => {
  const plain = open(t, temporaryFolder(t))
  await plain.start('one', 'r')
  await ended(plain.world, 'prep_one')
  const [writes, whole] = [plain.world.writes(), plain.calls]
  const vocals = await openBlocks(plain.files.pathOf(plain.store.dubs.find('one')!.vocals!))
  for (let write = 2; write <= writes; write++) {
    const folder = temporaryFolder(t)
    const first = open(t, folder, { killAt: { write, isWritten: write % 2 === 0 } })
    await first.start('one', 'r')
    await Promise.race([first.world.killed, ended(first.world, 'prep_one')])
    first.world.kill()
    first.world.close()
    const second = open(t, folder)
    second.world.jobs.start()
    const view = await ended(second.world, 'prep_one')
    assert.equal(view.record.job.status, 'done', `write ${write}: ${view.record.job.failure?.message}`)
    assert.ok(first.calls.length + second.calls.length <= whole.length + 1, `write ${write}: ${first.calls} and then ${second.calls}`)
    const frames = await framesIn(second.world, 'prep_one')
    assert.deepEqual(order(frames), ORDER, `write ${write}`)
    const dub = second.store.dubs.find('one')!
    assert.equal((await openBlocks(second.files.pathOf(dub.vocals!))).digest, vocals.digest, `write ${write}`)
    await second.world.jobs.stop()
  }
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
  } as unknown as StepContext
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
    ...{ durationUs: SECONDS * 1e6, decodedUs: SECONDS * 0.5e6 },
  })
  const { world, start } = open(t, temporaryFolder(t), { change: { extract } })
  await start('one', 'r')
  assert.equal((await ended(world, 'prep_one')).record.job.status, 'done')
  const frames = (await framesIn(world, 'prep_one')) as readonly { type: string; stage?: string; reason?: string; duration?: number }[]
  const [remark] = frames.filter(({ type, stage }) => type === 'warning' && stage === 'extract')
  assert.match(remark!.reason!, /^The sound ends after .* s and the picture after .* s\. The rest is silent;/)
  assert.equal(frames.find(({ type }) => type === 'extract_done')!.duration, SECONDS)
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
