// Bundles of voices through a running studio: export, import, inspection, and the marketplace folder.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { findProgram } from '#shared/runtime/program.ts'
import { bundleForm, document, memberReader, personaEntries, speechWav } from '#test/support/archive/bundle.ts'
import { hostileArchives } from '#test/support/archive/hostile.ts'
import { type RawEntry, rawZip } from '#test/support/archive/raw-zip.ts'
import { studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const open = sharedWorld()
const recogniseWith = ({ post }: World, backend_id: string) => post('/engines/select', { family: 'asr', backend_id })
let usual = ''
/** Recordings without a transcript are recognised by the test engine, which takes less time than PocketSphinx. */
const start = async () => {
  const studio = await open()
  usual = (await studio.get('/engines/asr')).json().active
  await recogniseWith(studio, 'tone')
  return studio
}
let started: ReturnType<typeof start> | undefined
const world = () => (started ??= start())
const NO_FFMPEG = findProgram('ffmpeg', process.env['PATH']) ? false : 'ffmpeg is not on this machine'
const read = memberReader({ after })

const zip = (entries: readonly RawEntry[]) => new Uint8Array(rawZip(entries))
const post = async (path: string, bytes: Uint8Array<ArrayBuffer>, filename?: string) =>
  (await world()).post(path, bundleForm(bytes, filename))
async function imported(entries: readonly RawEntry[], filename?: string) {
  const reply = await post('/personas/import', zip(entries), filename)
  assert.equal(reply.status, 200, reply.body.toString())
  return reply.json()
}
async function exported(path: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; members: Record<string, Buffer>; headers: Headers }> {
  const reply = await (await world()).post(path)
  assert.equal(reply.status, 200, reply.body.toString())
  return { bytes: new Uint8Array(reply.body), members: await read(reply.body), headers: reply.headers }
}
const json = (bytes: Buffer | undefined) => JSON.parse(bytes!.toString())
const STATEMENT = { text: 'This is my own voice.', verified: true, method: 'self-recorded-statement' }
const ALL = {
  'ref_audio.wav': speechWav(9, 44_100, 1),
  'locked_audio.wav': speechWav(4, 24_000, 2),
  'consent_audio.wav': speechWav(2, 16_000, 3),
}
const filesOf = async (folder: string) => readdirSync(join((await world()).dataDir, folder)).sort()
/** Voices without a transcript are recognised after their import has been answered, which writes files. */
async function idleFiles(): Promise<readonly [artifacts: string[], uploads: string[]]> {
  const { get } = await world()
  const isPending = ({ quality }: { quality?: { transcript?: string } }) => quality?.transcript === 'pending'
  await eventually(async () => !(await get('/profiles')).json().some(isPending))
  return [await filesOf('artifacts'), await filesOf('uploads')]
}

test('a persona bundle contains the voice, a marked preview and nothing of this machine', async () => {
  const entries = [
    ...personaEntries({ persona: { is_locked: true, locked_text: 'Hello.', seed: 7 }, recordings: ALL }),
    document('consent.json', STATEMENT),
  ]
  const first = await imported(entries)
  assert.deepEqual(
    [first.name, first.kind, first.verified_own_voice, first.preview_only, first.license_spdx, first.source_bundle],
    ['Traveller', 'clone', true, false, 'CC-BY-4.0', 'voice.svcvoice'],
  )
  const { members, headers, bytes } = await exported(`/personas/export/${first.profile_id}?tags=calm,%20low&license_spdx=CC0-1.0`)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="traveller.svcvoice"')
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.deepEqual(Object.keys(members), [
    'consent.json',
    'consent_audio.wav',
    'locked_audio.wav',
    'manifest.json',
    'metadata.json',
    'preview.wav',
    'ref_audio.wav',
  ])
  const { persona, engine, preview, license, tags, members: named } = json(members['manifest.json'])
  assert.deepEqual(
    [persona.name, persona.ref_text, persona.seed, persona.is_locked, persona.locked_text, license.spdx, tags],
    ['Traveller', 'Good morning.', 7, true, 'Hello.', 'CC0-1.0', ['calm', 'low']],
  )
  const { active } = (await (await world()).get('/engines/tts')).json()
  assert.deepEqual(engine, { id: active, design_params: null }, 'the engine that speaks in this voice')
  assert.deepEqual(named, { ref_audio: 'ref_audio.wav', locked_audio: 'locked_audio.wav', consent_audio: 'consent_audio.wav' })
  assert.deepEqual([preview.watermarked, preview.sample_rate, preview.duration_s], [true, 24_000, 4])
  assert.ok(members['ref_audio.wav']!.equals(ALL['ref_audio.wav']), 'the original is exported, not its conversion')
  assert.equal(json(members['consent.json']).text, STATEMENT.text)
  const { dataDir } = await world()
  for (const [name, content] of Object.entries(members))
    for (const secret of [dataDir, first.profile_id]) assert.ok(!content.includes(secret), `${name} contains ${secret}`)
})

test('a preview has 8 s at most and fades out', async () => {
  const { profile_id } = await imported(personaEntries({ recordings: { 'ref_audio.wav': ALL['ref_audio.wav'] } }))
  const { members } = await exported(`/personas/export/${profile_id}`)
  const wav = members['preview.wav']!
  assert.deepEqual([wav.readUInt16LE(22), wav.readUInt32LE(24), (wav.length - 44) / 2], [1, 24_000, 8 * 24_000])
  assert.equal(wav.readInt16LE(wav.length - 2), 0)
  assert.equal(json(members['manifest.json']).preview.text, null)
})

test('without the reference a bundle has a preview and no other recording, and can be imported', async () => {
  const { profile_id } = await imported([...personaEntries({ recordings: ALL }), document('consent.json', STATEMENT)])
  const { bytes, members } = await exported(`/personas/export/${profile_id}?include_reference=false`)
  assert.deepEqual(
    Object.keys(members).filter((name) => name.endsWith('.wav')),
    ['preview.wav'],
  )
  const reply = (await post('/personas/import', bytes)).json()
  assert.deepEqual([reply.preview_only, reply.verified_own_voice, reply.watermarked_preview], [true, false, true])
  const again = await exported(`/personas/export/${reply.profile_id}`)
  assert.equal(json(again.members['manifest.json']).persona.ref_text, '', 'the transcript of the whole does not fit to a part')
})

/** Members without the dates, in which two exports of equal voices may differ. */
const withoutDates = (members: Record<string, Buffer>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, content]) => [
      name,
      name.endsWith('.json')
        ? { ...json(content), exported_at: 0, created_at: 0, recorded_at: 0, published_at: 0 }
        : content.toString('latin1'),
    ]),
  )

test('export, import and export give the same bundle for all values of the columns', { timeout: 400_000 }, async () => {
  const words = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength })
  const recipes = fc.constantFrom('female, elderly, low pitch', 'male, whisper', '')
  const anyVoice = fc.record({
    kind: fc.constantFrom('clone', 'design'),
    language: fc.constantFrom('Auto', 'English', 'Chinese'),
    instruct: recipes,
    personality: words(40),
    description: words(40),
    ref_text: words(60),
    locked_text: fc.option(words(20)),
    seed: fc.option(fc.nat()),
    is_locked: fc.boolean(),
    vd_states: fc.option(fc.constantFrom({ Gender: 'male' }, '{"Age":"child","Pitch":"high pitch"}')),
  })
  const anyOrigin = fc.record({
    source_url: fc.constantFrom('', 'https://example.org/a?b=c', 'javascript:alert(1)'),
    stays_here: fc.boolean(),
    made_with: fc.option(fc.constant({ engine: 'kokoro', model_digest: 'ab'.repeat(32), seed: 42, steps: 32 })),
  })
  const recordings = { 'ref_audio.wav': speechWav(2, 22_050, 4), 'locked_audio.wav': speechWav(2, 24_000, 5) }
  await fc.assert(
    fc.asyncProperty(anyVoice, anyOrigin, fc.boolean(), async (persona, origin, isStated) => {
      const statement = isStated
        ? [document('consent.json', STATEMENT), { name: 'consent_audio.wav', content: ALL['consent_audio.wav'] }]
        : []
      const { profile_id } = await imported([...personaEntries({ persona, manifest: { origin }, recordings }), ...statement])
      const first = await exported(`/personas/export/${profile_id}`)
      const { persona: kept, origin: from } = json(first.members['manifest.json'])
      assert.deepEqual(
        [kept.kind, kept.language, kept.personality, kept.description, kept.ref_text, kept.seed, kept.is_locked, from.stays_here],
        [
          persona.kind,
          persona.language,
          persona.personality,
          persona.description,
          persona.ref_text,
          persona.seed,
          persona.is_locked,
          origin.stays_here,
        ],
      )
      assert.deepEqual(from.made_with, origin.made_with)
      assert.equal(from.source_url, origin.source_url.startsWith('https') ? origin.source_url : '')
      const again = (await post('/personas/import', first.bytes)).json()
      assert.equal(again.verified_own_voice, isStated)
      const second = await exported(`/personas/export/${again.profile_id}`)
      assert.deepEqual(withoutDates(second.members), withoutDates(first.members))
      const legacy = await exported(`/marketplace/export/${profile_id}`)
      const old = (await post('/marketplace/import', legacy.bytes, 'a.svcbundle')).json()
      const relegacy = await exported(`/marketplace/export/${old.profile_id}`)
      assert.deepEqual(withoutDates(relegacy.members), withoutDates(legacy.members))
    }),
    { numRuns: 3 },
  )
})

test('a portrait travels with its bytes; one that cannot be used is left out and named', { skip: NO_FFMPEG }, async () => {
  const { put, get } = await world()
  const picture = execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=300x200:d=1:r=1', '-f', 'mjpeg', 'pipe:1'])
  const { profile_id } = await imported(personaEntries())
  assert.equal((await put(`/profiles/${profile_id}/image`, form({ image: Buffer.from(picture) }))).status, 200)
  const { bytes, members } = await exported(`/personas/export/${profile_id}`)
  const copy = (await post('/personas/import', bytes)).json()
  assert.deepEqual(copy.skipped_members, [])
  const portrait = await get(`/profiles/${copy.profile_id}/image`)
  assert.deepEqual([portrait.status, portrait.body.equals(members['portrait.jpg']!)], [200, true])
  const broken = await imported([...personaEntries(), { name: 'portrait.jpg', content: '<svg/>' }])
  assert.deepEqual(broken.skipped_members, ['portrait.jpg'])
  assert.equal((await get(`/profiles/${broken.profile_id}/image`)).status, 404)
})

test('inspection describes a bundle and stores nothing', async () => {
  const before = await idleFiles()
  const entries = [
    ...personaEntries({ manifest: { schema_version: 9, tags: ['calm'], license: { spdx: 'GPL-3.0' }, later: { field: 1 } } }),
    document('consent.json', STATEMENT),
    { name: 'notes/read.me', content: 'x' },
  ]
  const reply = await post('/personas/inspect', zip(entries))
  assert.deepEqual(reply.json(), {
    format: 'svc-persona',
    schema_version: 9,
    name: 'Traveller',
    kind: 'clone',
    language: 'English',
    personality: '',
    is_locked: false,
    license_spdx: 'LicenseRef-Svc-Personal',
    license_replaced: 'GPL-3.0',
    tags: ['calm'],
    preview_only: false,
    watermarked_preview: false,
    consent: { verified_claimed: true, method: 'self-recorded-statement', has_recording: false, would_verify: false },
    schema_version_ahead: true,
    skipped_members: ['notes/read.me'],
  })
  assert.deepEqual(await idleFiles(), before)
  const legacy = await post('/personas/inspect', zip([document('metadata.json', { profile_name: 'Old' })]), 'Old.SVCBUNDLE')
  assert.deepEqual([legacy.json().format, legacy.json().name, legacy.json().consent], ['svc-legacy', 'Old', null])
})

test('a statement counts with its words and a recording that can be heard', async () => {
  const with_ = (statement: object, recording?: Uint8Array) =>
    imported([
      ...personaEntries({ recordings: { 'ref_audio.wav': speechWav(2, 24_000, 6), ...(recording && { 'consent_audio.wav': recording }) } }),
      document('consent.json', statement),
    ])
  const heard = ALL['consent_audio.wav']
  for (const [statement, recording, isVerified] of [
    [STATEMENT, heard, true],
    [{ ...STATEMENT, text: ' ' }, heard, false],
    [STATEMENT, undefined, false],
    [STATEMENT, speechWav(0.01, 24_000, 1), false],
    [STATEMENT, Buffer.alloc(5000, 1), false],
  ] as const)
    assert.equal((await with_(statement, recording)).verified_own_voice, isVerified)
})

test('a bundle that is hostile, damaged or no bundle is refused, and no file of it remains', { timeout: 400_000 }, async () => {
  const good = personaEntries()
  const before = await idleFiles()
  const wrong: [string, Uint8Array<ArrayBuffer>][] = [
    ...hostileArchives(good, good[0]!).map(({ name, bytes }) => [name, new Uint8Array(bytes)] as [string, Uint8Array<ArrayBuffer>]),
    ['no manifest', zip(good.slice(1))],
    ['no recording', zip(good.slice(0, 1))],
    ['a manifest that is no JSON', zip([{ name: 'manifest.json', content: '{' }, ...good.slice(1)])],
    [
      'a manifest that is too large',
      zip([{ name: 'manifest.json', content: Buffer.alloc(300_000, 32), isDeflated: true }, ...good.slice(1)]),
    ],
    ['a manifest that is too deep', zip([{ name: 'manifest.json', content: '['.repeat(10_000) }, ...good.slice(1)])],
    ['a name that is too long', zip(personaEntries({ persona: { name: 'x'.repeat(1_001) } }))],
    ['an unknown kind', zip(personaEntries({ persona: { kind: 'person' } }))],
    ['a recording that is text', zip(personaEntries({ recordings: { 'ref_audio.wav': Buffer.from('no sound '.repeat(100)) } }))],
    ['a recording that is an archive', zip(personaEntries({ recordings: { 'ref_audio.wav': rawZip(good) } }))],
    [
      'two references',
      zip(personaEntries({ recordings: { 'ref_audio.wav': ALL['ref_audio.wav'], 'ref_audio.flac': ALL['ref_audio.wav'] } })),
    ],
    [
      'a good reference and a broken take',
      zip(
        personaEntries({
          persona: { is_locked: true },
          recordings: { 'ref_audio.wav': ALL['ref_audio.wav'], 'locked_audio.wav': Buffer.from('x') },
        }),
      ),
    ],
  ]
  for (const [name, bytes] of wrong) {
    const reply = await post('/personas/import', bytes)
    assert.equal(reply.status, 400, `${name}: ${reply.status} ${reply.body}`)
    assert.equal(typeof reply.json().detail, 'string')
  }
  assert.equal((await post('/personas/import', zip(good), 'voice.zip')).status, 400)
  assert.equal((await post('/marketplace/import', zip(good), 'voice.svcvoice')).status, 400)
  assert.deepEqual(await idleFiles(), before)
})

test('a bundle over 100 MB is refused with 413', async () => {
  const reply = await post('/personas/import', new Uint8Array(100_000_001))
  assert.equal(reply.status, 413)
  assert.deepEqual(await filesOf('uploads'), [])
})

test('the marketplace folder: publish, browse, install, delete', async () => {
  const { get, post: send, delete: remove, dataDir } = await world()
  const persona = { name: 'Élan Vital!', kind: 'design', vd_states: { Gender: 'female' }, instruct: 'female', personality: 'A calm guide' }
  const { profile_id } = await imported(personaEntries({ persona }))
  assert.deepEqual((await get('/marketplace/browse')).json().bundles, [])
  const published = (await send(`/marketplace/publish/${profile_id}?tags=guide,%20calm`)).json()
  const folder = join(dataDir, 'marketplace')
  const name = `elan-vital-${profile_id}.svcbundle`
  assert.equal(published.bundle_path, join(folder, name))
  assert.equal(published.bundle_size, readFileSync(published.bundle_path).length)
  await send(`/marketplace/publish/${profile_id}?tags=guide,%20calm`)

  // Files that others put there.
  writeFileSync(join(folder, 'broken-00000000.svcbundle'), 'no archive')
  writeFileSync(join(folder, 'empty-00000001.svcbundle'), rawZip([]))
  copyFileSync(join(folder, name), join(folder, 'Other.svcbundle'))
  symlinkSync('/etc/passwd', join(folder, 'link-00000002.svcbundle'))
  const { bundles, total, directory } = (await get('/marketplace/browse?search=CALM')).json()
  assert.deepEqual([total, directory], [1, folder])
  const { published_at, size_bytes, ...row } = bundles[0]
  assert.deepEqual(row, {
    filename: name,
    name: 'Élan Vital!',
    language: 'English',
    tags: ['guide', 'calm'],
    is_locked: false,
    personality: 'A calm guide',
    has_ref_audio: true,
    has_locked_audio: false,
  })
  assert.deepEqual([typeof published_at, size_bytes], ['number', readFileSync(join(folder, name)).length])
  assert.equal((await get('/marketplace/browse?search=nothing')).json().total, 0)

  const installed = (await send(`/marketplace/install/${name}`)).json()
  assert.deepEqual([installed.success, installed.name, installed.source], [true, 'Élan Vital!', name])
  const { members } = await exported(`/personas/export/${installed.profile_id}`)
  const { kind, vd_states } = json(members['manifest.json']).persona
  assert.deepEqual([kind, vd_states.Gender, vd_states.Age], ['design', 'female', 'Auto'])

  for (const bad of ['..%2F..%2Fstudio.db', 'voice-12345678.zip', '%2Fetc%2Fpasswd', '..%2Fvoice-12345678.svcbundle', '.svcbundle'])
    for (const reply of [await send(`/marketplace/install/${bad}`), await remove(`/marketplace/${bad}`)])
      assert.equal(reply.status, 400, `${bad}: ${reply.body}`)
  for (const missing of ['voice-12345678.svcbundle', 'link-00000002.svcbundle', 'Other.svcbundle', 'unknown.svcbundle']) {
    assert.equal((await send(`/marketplace/install/${missing}`)).status, 404)
    assert.equal((await remove(`/marketplace/${missing}`)).status, 404)
  }
  assert.equal((await send('/marketplace/install/broken-00000000.svcbundle')).status, 400)
  assert.deepEqual((await remove(`/marketplace/${name}`)).json(), { success: true, deleted: name })
  assert.equal((await remove(`/marketplace/${name}`)).status, 404)
})

test('a voice that is published many times at once is one whole bundle', async () => {
  const { get, post: send, delete: remove } = await world()
  const { profile_id } = await imported(personaEntries({ persona: { name: 'Busy' }, recordings: ALL }))
  const tags = Array.from({ length: 12 }, (_, index) => 'tag'.repeat(1 + index))
  const replies = await Promise.all(tags.map((tag) => send(`/marketplace/publish/${profile_id}?tags=${tag}`)))
  for (const reply of replies) assert.equal(reply.status, 200, reply.body.toString())
  const name = `busy-${profile_id}.svcbundle`
  assert.equal((await send(`/marketplace/install/${name}`)).status, 200)
  const { bundles } = (await get('/marketplace/browse?search=tagtag')).json()
  assert.deepEqual(
    bundles.map(({ filename }: { filename: string }) => filename),
    [name],
  )
  assert.ok(tags.includes(bundles[0].tags[0]))
  assert.deepEqual(
    (await filesOf('marketplace')).filter((file) => file.endsWith('.new')),
    [],
  )
  await remove(`/marketplace/${name}`)
})

test('the command line exports and imports', async (t) => {
  const { url, dataDir } = await world()
  const { profile_id } = await imported(personaEntries())
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: new URL(url).port, STUDIO_DATA_DIR: dataDir, STUDIO_API_KEY: '' }
  const path = join(temporaryFolder(t), 'traveller.svcvoice')
  const done = await studio(['voices', 'export', profile_id, '-o', path], { env })
  assert.equal(done.code, 0, done.errors)
  const { code, output } = await studio(['voices', 'import', path], { env })
  assert.equal(code, 0)
  assert.match(output, /^Imported Traveller as voice [0-9a-f]{8}\.\n$/)
})

test('an unknown profile is not exported or published', async () => {
  const { post: send } = await world()
  for (const path of ['/personas/export/00000000', '/marketplace/export/00000000', '/marketplace/publish/00000000'])
    assert.equal((await send(path)).status, 404, path)
})

test('a licence that is not on the list is replaced and named', async () => {
  const { profile_id } = await imported(personaEntries())
  const { headers, members } = await exported(`/personas/export/${profile_id}?license_spdx=GPL-3.0`)
  assert.match(headers.get('x-svc-notice') ?? '', /GPL-3\.0 is not on the list .* LicenseRef-Svc-Personal was used/)
  assert.equal(json(members['manifest.json']).license.spdx, 'LicenseRef-Svc-Personal')
  const own = await exported(`/personas/export/${profile_id}?license_spdx=LicenseRef-Acme-1.0`)
  assert.equal(json(own.members['manifest.json']).license.spdx, 'LicenseRef-Acme-1.0')
  assert.equal((await recogniseWith(await world(), usual)).status, 200)
})
