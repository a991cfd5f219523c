// The job of an ingest, killed at every write: the download repeats at most once, and its cookies stay until it has ended.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createIngestFolders } from '#control-plane/features/dubbing/film/ingest/ingest-folders.ts'
import { createIngestJobs } from '#control-plane/features/dubbing/film/ingest/ingest-job.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { framesOf } from '#test/support/doubles/job-stage.ts'
import { ended, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const DOWNLOADED = {
  source: 'a'.repeat(64),
  filename: 'film.mp4',
  inputType: 'video' as const,
  title: 'film.mp4',
  size: 4,
  youtube_subs: [],
}
const PARAMS = { dub: 'one', run: 'r', url: 'https://video.example/film', languages: null, hasCookies: true }
const never = new Promise<never>(() => {})

function open(folder: string, killAt: KillPoint | null = null) {
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  const folders = createIngestFolders(folder)
  const cookies: string[] = []
  const ingest = createIngestJobs({
    core: { makerOf: () => OWNER_ID, store: { dubs: { find: () => null } } } as never,
    jobs: world.jobs,
    prep: { steps: () => [], doneFrame: () => ({ type: 'ready', job_id: '', duration: 1, filename: '' }) },
    async download({ dub, run }) {
      if (world.isDead()) return never
      cookies.push(readFileSync((await folders.open(dub, run)).cookies, 'utf8'))
      return DOWNLOADED
    },
    folders: { ...folders, remove: (dub, run) => (world.isDead() ? never : folders.remove(dub, run)) },
    removal: { remove: async () => [], free: async () => {} },
  })
  return { world, folders, ingest, cookies }
}

test('a download that is killed at any write goes on with its cookies, and removes them at its end', async (t) => {
  const plain = open(temporaryFolder(t))
  await plain.folders.keepCookies(await plain.folders.open('one', 'r'), 'jar')
  await plain.ingest.start(PARAMS)
  await ended(plain.world, 'prep_one')
  const writes = plain.world.writes()
  plain.world.close()
  for (let write = 2; write <= writes; write++) {
    const folder = temporaryFolder(t)
    const first = open(folder, { write, isWritten: write % 2 === 0 })
    await first.folders.keepCookies(await first.folders.open('one', 'r'), 'jar')
    await first.ingest.start(PARAMS)
    await Promise.race([first.world.killed, ended(first.world, 'prep_one')])
    first.world.kill()
    first.world.close()
    const second = open(folder)
    second.world.jobs.start()
    const { record } = await ended(second.world, 'prep_one')
    assert.equal(record.job.status, 'done', `write ${write}: ${record.job.failure?.message}`)
    const seen = [...first.cookies, ...second.cookies]
    assert.ok(seen.length <= 2 && seen.every((one) => one === 'jar\n'), `write ${write}: ${seen}`)
    assert.equal(existsSync(join(folder, 'dub_store', 'ingest', 'one.r')), false, `write ${write}`)
    const types = framesOf(await second.world.jobs.events('prep_one', 0, 100)).map(({ type }) => type)
    assert.deepEqual(types, ['download_start', 'download_done', 'ready'], `write ${write}`)
    await second.world.jobs.stop()
    second.world.close()
  }
})
