// A studio that is killed during imports: no profile without its recordings, and no profile is lost that was answered.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { bundleForm, document, personaEntries, speechWav } from '#test/support/archive/bundle.ts'
import { rawZip } from '#test/support/archive/raw-zip.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })
type Row = { id: string; ref_digest: string; original_digest: string; locked_digest: string; audio_digest: string }

test('a kill during imports leaves no profile without its recordings', async (t) => {
  const world = await open()
  const bundle = (seed: number) =>
    bundleForm(
      new Uint8Array(
        rawZip([
          ...personaEntries({
            persona: { name: `Voice ${seed}`, is_locked: true },
            recordings: {
              'ref_audio.wav': speechWav(2, 44_100, seed),
              'locked_audio.wav': speechWav(1, 24_000, seed + 100),
              'consent_audio.wav': speechWav(1, 24_000, seed + 200),
            },
          }),
          document('consent.json', { text: 'This is my voice.' }),
        ]),
      ),
    )
  const answered: string[] = []
  const imports = [1, 2, 3, 4, 5, 6].map(async (seed) => {
    const reply = await world.post('/personas/import', bundle(seed))
    assert.equal(reply.status, 200, reply.body.toString())
    answered.push(reply.json().profile_id)
  })
  await Promise.any(imports)
  await world.studio.end('SIGKILL')
  // Those that were not answered end with the connection.
  for (const { reason } of (await Promise.allSettled(imports)).filter((end) => end.status === 'rejected'))
    assert.ok(!(reason instanceof assert.AssertionError), reason)

  const db = new Database(join(world.dataDir, 'studio.db'))
  t.after(() => db.close())
  const rows = db
    .prepare<[], Row>(
      `select p.id, p.ref_digest, p.original_digest, p.locked_digest, s.audio_digest
       from voice_profile p left join voice_statement s on s.profile_id = p.id`,
    )
    .all()
  assert.ok(answered.length >= 1)
  for (const id of answered)
    assert.ok(
      rows.some((row) => row.id === id),
      `${id} was answered`,
    )
  for (const { id, ...digests } of rows)
    for (const [column, digest] of Object.entries(digests)) {
      const bytes = readFileSync(join(world.dataDir, 'artifacts', digest))
      assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, `${column} of ${id}`)
    }
})
