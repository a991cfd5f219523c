// Rendered previews: one render for all listeners, the key, the cache and its limits. The engine is replaced by a function.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { recipeDigest, stateOf } from '#control-plane/features/voices/archetypes/previews/preview.rules.ts'
import { createRenderedPreviews } from '#control-plane/features/voices/archetypes/previews/preview.service.ts'
import { createPreviewStore } from '#control-plane/features/voices/archetypes/previews/preview.store.ts'
import { createMedia } from '#control-plane/media/encode.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { buildArchetypes } from '#shared/voices/taxonomy.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const [first, second] = buildArchetypes() as [ReturnType<typeof buildArchetypes>[0], ReturnType<typeof buildArchetypes>[0]]
const never = new AbortController().signal

async function open(t: TestContext) {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  const store = createPreviewStore({ db })
  const artifacts = createFolderArtifacts(folder)
  artifacts.addNamer(store.names)
  const spoolFolder = emptyFolder(join(folder, 'spool'))
  const media = createMedia({ log, clock: systemClock, ffmpegPath: () => null, threads: 1, spoolFolder })
  await media.start()
  t.after(async () => {
    await media.stop()
    db.close()
  })
  const clock = createFakeClock()
  const work = emptyFolder(join(folder, 'work'))
  const engine = {
    offer: { engine: 'svc-engine', modelDigest: 'model 1' } as { engine: string; modelDigest: string } | null,
    isMarking: true,
    renders: [] as { readonly text: string; readonly seed: number; readonly steps: number }[],
    /** Called before each render ends. */
    before: async (): Promise<void> => {},
  }
  const previews = createRenderedPreviews({
    store,
    artifacts,
    media,
    markOf: () => (engine.isMarking ? { key: new Uint8Array(32), payload: 7 } : null),
    clock,
    voices: {
      designEngine: () => engine.offer,
      async renderDesign({ text, seed, steps }) {
        if (!engine.offer) throw new Failure('NOT_READY', 'No engine is ready.')
        const madeWith = { ...engine.offer, seed, steps }
        const path = join(work, `${engine.renders.push({ text, seed, steps })}.wav`)
        await engine.before()
        const samples = Int16Array.from({ length: 4_800 }, (_, at) => 8_000 * Math.sin(at / (9 + engine.renders.length)))
        writeFileSync(path, Buffer.concat([wavHeader({ sampleRate: 24_000, channels: 1, samples: 4_800 }), Buffer.from(samples.buffer)]))
        return { path, madeWith }
      },
    },
  })
  return { folder, work, store, artifacts, clock, engine, previews, files: () => readdirSync(join(folder, 'artifacts')) }
}

test('one render serves all listeners and goes on when its listeners leave', async (t) => {
  const { work, engine, previews, files } = await open(t)
  const gate = Promise.withResolvers<void>()
  engine.before = () => gate.promise
  const leaving = new AbortController()
  const left = previews.of(first, leaving.signal)
  leaving.abort(new Error('left'))
  await assert.rejects(left, /left/)
  const listeners = Array.from({ length: 20 }, () => previews.of(first, never))
  gate.resolve()
  const sounds = await Promise.all(listeners)
  assert.deepEqual(engine.renders, [{ text: first.sample_script, seed: 42, steps: 32 }])
  assert.deepEqual(new Set(sounds.map(({ digest }) => digest)), new Set(files()))
  assert.deepEqual([sounds[0]!.source, sounds[0]!.type, sounds[0]!.bytes], ['local', 'audio/wav', 44 + 9_600])
  assert.deepEqual(await previews.of(first, never), sounds[0])
  assert.equal(engine.renders.length, 1)
  assert.deepEqual(readdirSync(work), [])
})

test('another model renders again; without a model the earlier render is used', async (t) => {
  const { engine, previews, artifacts } = await open(t)
  const { digest } = await previews.of(first, never)
  engine.offer = { engine: 'svc-engine', modelDigest: 'model 2' }
  assert.equal(previews.cached(first), null)
  assert.notEqual((await previews.of(first, never)).digest, digest)
  engine.offer = null
  const newest = previews.cached(first)!
  assert.notEqual(newest.digest, digest)
  await assert.rejects(previews.of(second, never), /No engine is ready/)
  rmSync(artifacts.pathOf(newest.digest))
  assert.equal(previews.cached(first), null, 'the file is gone')
})

test('a preview without a mark is not used once the mark is on', async (t) => {
  const { engine, previews } = await open(t)
  engine.isMarking = false
  await previews.of(first, never)
  engine.isMarking = true
  assert.equal(previews.cached(first), null)
  engine.offer = null
  assert.equal(previews.cached(first), null)
})

test('a failed render is not remembered', async (t) => {
  const { engine, previews } = await open(t)
  engine.before = async () => {
    throw new Failure('WORKER_FAILED', 'broken')
  }
  await assert.rejects(previews.of(first, never), /broken/)
  engine.before = async () => {}
  assert.equal((await previews.of(first, never)).source, 'local')
})

test('the previews that were not used for the longest time are removed, and their files are swept', async (t) => {
  const { store, artifacts, clock, previews } = await open(t)
  const { digest } = await previews.of(first, never)
  clock.advance(2 * 3600_000)
  await previews.of(second, never)
  clock.advance(2 * 3600_000)
  await previews.of(first, never)
  const row = { key: 'large', recipe: 'large', digest: 'f'.repeat(64), bytes: 512 * 1024 ** 2 - 10_000, used_at: clock.now() }
  store.add(row, 512 * 1024 ** 2)
  assert.equal(store.renderedOf(recipeDigest(first))?.digest, digest)
  assert.equal(store.renderedOf(recipeDigest(second)), null)
  assert.equal(await artifacts.sweep(Number.MAX_SAFE_INTEGER), 1)
  store.add({ ...row, key: 'larger', bytes: 1024 ** 3 }, 512 * 1024 ** 2)
  assert.ok(store.rendered('larger'), 'the newest one is kept')
})

test('where the next preview comes from', () => {
  const source = (isDownloaded: boolean, isCached: boolean, engine: string | null) => stateOf({ isDownloaded, isCached, engine }).source
  assert.equal(source(true, true, 'x'), 'gallery')
  assert.equal(source(false, true, null), 'cached')
  assert.equal(source(false, false, 'x'), 'rendering')
  assert.equal(source(false, false, null), 'no_model')
})
