// One press on a film: the job waits for its preparation, transcribes, translates, and goes on after a kill.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { z } from 'zod'
import { createBeginJobs } from '#control-plane/features/dubbing/lines/begin/begin-job.ts'
import { jobType } from '#control-plane/jobs/job-type.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { ANY_EVENT } from '#test/support/doubles/job-stage.ts'
import { ended } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { open } from './transcribe/world.ts'

const OUTPUT = { json: null, digest: null, bytes: 0 }
type Request = { readonly target_lang: string; readonly source_lang: string | null; readonly segments: readonly { readonly id: string }[] }

/** A studio on `folder`. `released`: ends the preparation. `asked`: languages of the translations. */
async function studio(t: TestContext, folder: string, { released = Promise.resolve(), isHeld = (): boolean => false } = {}) {
  const parts = await open(t, folder)
  const { world, store, abort, transcriptions } = parts
  const asked: Request[] = []
  const translate = async (request: Request) => {
    asked.push(request)
    if (isHeld()) await new Promise(() => {})
    if (request.target_lang === 'tlh') throw new Failure('BAD_REQUEST', 'Nothing translates into Klingon.')
    const rows = request.segments.map(({ id }, at) =>
      at === 0 ? { id, text: '', error: 'Too hard.' } : { id, text: `${request.target_lang} ${id}`, plan: { est_dur_s: 3 } },
    )
    return { translated: rows, target_lang: request.target_lang, source_lang: 'en', quality_used: 'fast' }
  }
  const run = async () => {
    await released
    return OUTPUT
  }
  const step = { name: 'prepare', output: z.null(), key: { kind: 'p', version: 1, inputs: [], params: {} }, run }
  world.jobs.add(
    jobType({ type: 'prep', params: z.object({}), events: ANY_EVENT, steps: () => [[step]], concurrency: 1, onRestart: 'resume' }),
  )
  const core = { store, saved: () => {}, makerOf: () => 'owner', dub: (id: string) => store.dubs.find(id) }
  const begin = createBeginJobs({
    ...{ core, jobs: world.jobs, transcriptions, abort, recognition: { partwise: { require: () => {} } }, clock: systemClock },
    translation: { translate },
  } as never)
  return { ...parts, begin, asked }
}

test('a film that is still prepared is transcribed and translated, and one language that fails leaves the others', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { world, store, begin, asked } = await studio(t, temporaryFolder(t), { released })
  await world.jobs.create({ type: 'prep', id: 'prep_one', params: {}, meta: {} })
  const id = await begin('one', { langs: ['es', 'tlh', 'fr', 'es'], language: 'en-GB', speakers: 1 })
  assert.match(id, /^asr_one_\d+$/)
  assert.equal(await begin('one', { langs: ['de'] }), id, 'a second press starts nothing')
  assert.equal(store.segments.count('one'), 0)
  release()
  const { record } = (await ended(world, id))!
  assert.equal(record.job.status, 'done')
  assert.equal(store.dubs.find('one')!.sourceLang, 'en')
  const [first, ...others] = store.segments.list('one')
  for (const language of ['es', 'fr']) {
    const texts = store.segments.texts('one', language)
    assert.deepEqual(texts, Object.fromEntries(others.map((line) => [line.id, `${language} ${line.id}`])))
  }
  assert.deepEqual(store.segments.texts('one', 'tlh'), {})
  assert.deepEqual(
    asked.map(({ target_lang, source_lang }) => [target_lang, source_lang]),
    [
      ['es', 'en'],
      ['tlh', 'en'],
      ['fr', 'en'],
    ],
  )
  const events = (await world.jobs.events(id, 0, 100)).map(({ payload }: { payload: string }) => JSON.parse(payload))
  const [es] = events.filter(({ type }: { type: string }) => type === 'translated')
  assert.deepEqual(es.lines[0], { id: first!.id, error: 'Too hard.' })
  assert.equal(es.lines[1].seconds, 3)
  assert.ok(events.some(({ detail, source }: Record<string, string>) => source === 'translation' && /Klingon/.test(detail!)))
})

test('a kill during the translation repeats only that part', async (t) => {
  const folder = temporaryFolder(t)
  const first = await studio(t, folder, { isHeld: () => true })
  const id = await first.begin('one', { langs: ['es'] })
  while (first.asked.length === 0) await new Promise(setImmediate)
  first.world.kill()
  first.world.close()
  const second = await studio(t, folder)
  second.world.jobs.start()
  assert.equal((await ended(second.world, id)).record.job.status, 'done')
  assert.deepEqual(
    second.calls.filter((name) => name.startsWith('recognisePart')),
    [],
    'the transcript is kept',
  )
  assert.equal(Object.keys(second.store.segments.texts('one', 'es')).length, second.store.segments.count('one') - 1)
})

test('a film without sound, and one that is transcribed otherwise, are refused', async (t) => {
  const { world, store, begin, transcriptions } = await studio(t, temporaryFolder(t))
  store.dubs.create({ id: 'two', filename: 'g.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
  await assert.rejects(begin('two', { langs: [] }), { code: 'NOT_FOUND' })
  const running = await transcriptions.start('one', null, true)
  await assert.rejects(begin('one', { langs: ['es'] }), { code: 'CONFLICT' })
  await ended(world, running)
})
