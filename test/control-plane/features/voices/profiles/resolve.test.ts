import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createResolver } from '#control-plane/features/voices/profiles/resolve.service.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { clone, never, openStage } from './stage.ts'

const voice = (id: string, name = id) => ({ id, name, language: 'en' })
const OFFERS = [
  offer({ engine: 'kokoro', voices: [voice('af_heart', 'Heart'), voice('bf_emma', 'Emma')] }),
  offer({ engine: 'svc-engine', voices: [voice('default')] }),
  offer({ engine: 'espeak-ng', voices: [voice('de', 'German')] }),
  offer({ engine: 'silent', voices: [] }),
]

function open(t: TestContext) {
  const stage = openStage(t)
  const rendered: string[] = []
  const ensure = async (id: string) => {
    const profile = stage.store.find(id)!
    if (profile.refDigest !== null) return profile
    rendered.push(id)
    throw new Failure('NOT_READY', 'No engine follows a description.')
  }
  const resolve = createResolver({ store: stage.store, samples: { ensure }, offered: () => OFFERS })
  return { ...stage, rendered, resolve: (asked: string | null, engine = 'kokoro') => resolve(asked, engine, never) }
}

test('a name is a preset of the engine in any case, or the default voice with a remark', async (t) => {
  const { resolve } = open(t)
  const presetOf = async (asked: string | null, engine?: string) => {
    const { preset, reference, remarks, profileId } = await resolve(asked, engine)
    assert.deepEqual([reference, profileId], [null, null])
    return [preset, ...remarks]
  }
  for (const asked of [null, '', 'default', 'alloy', 'shimmer']) assert.deepEqual(await presetOf(asked), [null], String(asked))
  for (const asked of ['af_heart', 'AF_Heart', 'heart']) assert.deepEqual(await presetOf(asked), ['af_heart'], asked)
  assert.deepEqual(await presetOf('Heart+AF_Heart'), [null, 'There is no voice Heart+AF_Heart. The default voice was used.'])
  assert.deepEqual(await presetOf('heart(2)'), ['af_heart(2)'])
  await assert.rejects(presetOf('jf_alpha'), {
    code: 'INVALID_TASK_PARAMS',
    message: /^voice: jf_alpha speaks Japanese, which Kokoro cannot/,
  })
  assert.deepEqual(await presetOf('ghost'), [null, 'There is no voice ghost. The default voice was used.'])
  assert.deepEqual(await presetOf('ghost', 'svc-engine'), [null, 'There is no voice ghost. The default voice was used.'])
  for (const voice of ['de', 'bf_emma']) assert.deepEqual(await presetOf(voice, 'svc-engine'), [voice], 'the engine that has it answers')
  for (const engine of ['silent', 'away']) assert.deepEqual(await presetOf('any', engine), ['any'], 'its voices are unknown')
})

test('a profile comes before a preset, with everything that an engine receives', async (t) => {
  const { create, file, store, db, resolve } = open(t)
  const recording = file(spokenWav())
  const fields = { recording, refText: 'as I said', instruct: 'female', language: 'en', seed: 7, staysHere: true }
  const { id, refDigest, refBytes } = await create(clone(fields), never)
  const input = { name: 'reference', size: refBytes, sha256: refDigest }
  const { digest, ...spoken } = await resolve(id)
  assert.deepEqual(spoken, {
    profileId: id,
    name: 'Ada',
    preset: null,
    reference: { input, text: 'as I said' },
    instruct: 'female',
    language: 'en',
    seed: 7,
    staysHere: true,
    remarks: [],
  })
  assert.match(digest, /^[0-9a-f]{64}$/)
  db.prepare('update voice_profile set id = ? where id = ?').run('af_heart', id)
  assert.equal((await resolve('af_heart')).profileId, 'af_heart')
  const { refDigest: take } = await create(clone({ recording: file(spokenWav({ hz: 330 })) }), never)
  store.lock('af_heart', { digest: take!, bytes: 5, text: 'locked words', seed: 9, source: 'given' }, 0)
  const locked = await resolve('af_heart')
  assert.deepEqual([locked.reference, locked.seed], [{ input: { name: 'reference', size: 5, sha256: take }, text: 'locked words' }, 9])
})

test('the digest changes with everything that changes the sound, and with nothing else', async (t) => {
  const { create, file, store, resolve } = open(t)
  const one = { recording: file(spokenWav()), refText: 'words' }
  const { id } = await create(clone(one), never)
  const digestOf = async () => (await resolve(id)).digest
  const before = await digestOf()
  store.update(id, { name: 'Another name', personality: 'p', description: 'd', staysHere: true }, 1)
  assert.equal(await digestOf(), before)
  assert.equal((await resolve(id, 'svc-engine')).digest, before)
  const seen = new Set([before])
  for (const change of [{ refText: 'other words' }, { instruct: 'whisper' }, { language: 'fr' }]) {
    store.update(id, change, 2)
    seen.add(await digestOf())
  }
  const other = await create(clone({ ...one, recording: file(spokenWav({ hz: 300 })) }), never)
  seen.add((await resolve(other.id)).digest)
  for (const preset of [null, 'af_heart', 'bf_emma']) seen.add((await resolve(preset)).digest)
  seen.add((await resolve(null, 'svc-engine')).digest)
  assert.equal(seen.size, 9)
  const twin = await create(clone(one), never)
  assert.equal((await resolve(twin.id)).digest, before, 'the same recording is the same voice')
})

test('a design without a sample is rendered first, and a locked one needs none', async (t) => {
  const { create, file, store, rendered, resolve } = open(t)
  const { id } = await create(clone({ kind: 'design', instruct: 'female' }), never)
  await assert.rejects(resolve(id), { code: 'NOT_READY' })
  assert.deepEqual(rendered, [id])
  const { refDigest } = await create(clone({ recording: file(spokenWav()) }), never)
  store.lock(id, { digest: refDigest!, bytes: 5, text: null, seed: null, source: 'take' }, 0)
  assert.deepEqual((await resolve(id)).reference, { input: { name: 'reference', size: 5, sha256: refDigest }, text: '' })
  assert.deepEqual(rendered, [id])
})

test('among 5,000 profiles one is found by an index, and nothing is written', async (t) => {
  const { create, file, db, resolve } = open(t)
  const { id } = await create(clone({ recording: file(spokenWav()) }), never)
  const columns = (db.pragma('table_info(voice_profile)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'seq' && name !== 'id')
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into voice_profile (id, ${columns}) select 'p' || i, ${columns} from voice_profile, n`)
  const changes = () => db.prepare('select total_changes()').pluck().get()
  const before = changes()
  for (let at = 1; at <= 5000; at += 7) assert.equal((await resolve(`p${at}`)).profileId, `p${at}`)
  assert.equal((await resolve(id)).profileId, id)
  assert.equal(changes(), before)
  const plan = db.prepare('explain query plan select * from voice_profile where id = ?').all('p1') as { detail: string }[]
  assert.deepEqual(
    plan.map(({ detail }) => detail).filter((detail) => !/USING INDEX/.test(detail)),
    [],
  )
})
