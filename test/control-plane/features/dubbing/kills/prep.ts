// The preparation of a dub on a database that can be killed at any write. The film and the engine are doubles.

import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createFilmSteps } from '#control-plane/features/dubbing/film/prep/film-steps.ts'
import { createPrepJobs } from '#control-plane/features/dubbing/film/prep/prep-job.ts'
import type { Separating } from '#control-plane/features/dubbing/film/prep/separating.ts'
import { createSeparationSteps } from '#control-plane/features/dubbing/film/prep/separation-steps.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createRemoval } from '#control-plane/features/dubbing/store/files/removal.ts'
import type { FilmMedia } from '#control-plane/media/film/film.ts'
import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { framesOf } from '#test/support/doubles/job-stage.ts'
import { ended, type JobWorld, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

export const SOURCE = 'a'.repeat(64)
/** More than one block. */
export const SECONDS = 61
/** The double of the film is small. */
export const RATE = 1_000
export const PROBE = { kind: 'video', durationUs: SECONDS * 1e6, audio: [{ position: 0, leadUs: 0 }], defaultAudio: 0 }
const never = new Promise<never>(() => {})

/** Left and right of the film, at this frame: each in a range of its own. */
export const sampleAt = (frame: number, channel: number) => (channel === 0 ? 1 : -1) * (1000 + (frame % 7_919))
export async function writeSound(folder: string, channels: 1 | 2) {
  const blocks = await writeBlocks(folder, { sampleRate: RATE, channels, encoding: 's16' })
  const samples = Int16Array.from({ length: SECONDS * RATE * channels }, (_, at) => sampleAt(Math.floor(at / channels), at % channels))
  await blocks.write(new Uint8Array(samples.buffer))
  return blocks.seal()
}

export function open(
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
      return { sound, speech: await writeSound(to.speech, 1), durationUs: SECONDS * 1e6, decodedUs: SECONDS * 1e6, pictureUs: null }
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
  const core = { store, files, rows, film, disk: { require }, dub, saved: () => {}, makerOf: () => OWNER_ID } as unknown as DubCore
  const separating = { find, voiceOf: alive('separate', voiceOf) }
  const removal = createRemoval({ core, machines: { forgetVoices: async () => {} } })
  const steps = createFilmSteps(core)
  const clock = { mono: systemClock.mono, sleep }
  const prep = createPrepJobs({ core, jobs: world.jobs, film: steps, separating, removal, clock })
  /** Has an engine, also if the preparation has none. */
  const separation = createSeparationSteps({
    core,
    clock,
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
export type Doubles = Pick<FilmMedia, 'probe' | 'extract' | 'thumb' | 'scenes'> &
  Separating & { readonly require?: DubCore['disk']['require']; readonly sleep?: () => Promise<void> }
export const framesIn = async ({ jobs }: JobWorld, id: string) => framesOf(await jobs.events(id, 0, 500))
export const ORDER = [
  'extract_start',
  'extract_done',
  'demucs_start',
  'demucs_progress',
  'demucs_done',
  'scene_start',
  'scene_done',
  'ready',
]
/** Without the progress that a later one replaced. */
export const order = (frames: readonly { type: string }[]) => frames.map(({ type }) => type).filter((type, at, all) => type !== all[at + 1])

/** Kills the preparation at each `every`th write, in turns before and after the write reached the disk. */
export async function killedPrep(t: TestContext, every: number): Promise<void> {
  const plain = open(t, temporaryFolder(t))
  await plain.start('one', 'r')
  await ended(plain.world, 'prep_one')
  const [writes, whole] = [plain.world.writes(), plain.calls]
  const vocals = await openBlocks(plain.files.pathOf(plain.store.dubs.find('one')!.vocals!))
  for (let write = 2; write <= writes; write += every) {
    const folder = temporaryFolder(t)
    const first = open(t, folder, { killAt: { write, isWritten: (write & 1) === 0 } })
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
}
