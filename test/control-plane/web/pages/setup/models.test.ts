import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DownloadEvent } from '#control-plane/features/machines/models/download-events.schema.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { bundleOf, JOBS, licencePhrase, modelFor } from '#control-plane/web/pages/models/jobs.ts'
import { afterEvent, phaseOf } from '#control-plane/web/pages/setup/downloads.ts'
import { fitOf, memoryGbOf, obstacleOf, sizeOf, warningsOf } from '#control-plane/web/pages/setup/fit.ts'
import { hardwareOf } from '#control-plane/web/pages/setup/hardware.ts'

const model: ModelEntry = {
  repo_id: 'a/b',
  label: 'b',
  role: 'TTS',
  size_gb: 4,
  engine: 'b',
  installed: false,
  incomplete: false,
  size_on_disk_bytes: 0,
  nb_files: 0,
  supported: true,
  curated: false,
  model: 'b',
  precision: '',
  licence: 'MIT',
  gated: false,
  licence_accepted: true,
  card: false,
  group: null,
  own: false,
  offered_for: [],
  pinned: true,
  installing: false,
  cancelled: false,
  download: null,
  memory_bytes: 0,
}
const room = { freeGb: 20, reserveGb: 10, memoryGb: 8 }

test('a model fits by the disk space that is still needed, and by memory', () => {
  const partly = { ...model, incomplete: true, size_on_disk_bytes: 3e9 }
  assert.deepEqual([sizeOf(model), sizeOf(partly), sizeOf({ ...partly, installed: true })], [4e9, 1e9, 3e9])
  assert.deepEqual([obstacleOf(model, room), obstacleOf(partly, { ...room, freeGb: 2 })], ['', ''])
  assert.match(obstacleOf(model, { ...room, freeGb: 2 }), /^It needs 4\.0 GB and 2\.0 GB are free\./)
  assert.match(obstacleOf({ ...model, supported: false, platforms: ['darwin'] }, room), /darwin only/)
  assert.deepEqual(warningsOf(model, room), [])
  assert.match(warningsOf(model, { ...room, freeGb: 12 }).join(), /less than 10 GB/)
  assert.match(warningsOf({ ...model, memory_bytes: 16e9 }, room).join(), /more memory than this machine has \(8\.6 GB\)/)
})

const PLACE = { repo_id: 'a/b', target: 'local' }

test('a download is followed by its events and ends with them', () => {
  const base = { ...PLACE, filename: 'a/b', downloaded: 0, total: 0, pct: 0 }
  const events: DownloadEvent[] = [
    { ...base, phase: 'install_start' },
    {
      ...PLACE,
      filename: 'a/b',
      phase: 'install_plan',
      total_bytes: 100,
      cached_bytes: 10,
      to_download_bytes: 90,
      n_files: 2,
      n_cached: 0,
    },
    { ...base, phase: 'done', filename: 'x', downloaded: 40 },
    { ...base, phase: 'progress', filename: 'y', downloaded: 20 },
  ]
  const download = events.reduce<ReturnType<typeof afterEvent>>((now, event) => afterEvent(now ?? undefined, event), null)!
  assert.deepEqual([download.done, download.total, download.files, download.allFiles], [60, 100, 1, 2])
  assert.equal(afterEvent(download, { ...base, phase: 'install_error', error: 'no space', code: 'STORAGE_FULL' }), null)
  assert.equal(afterEvent(download, { ...base, phase: 'install_done' }), null)
})

test('a model is queued, downloading, failed, installed or not', () => {
  const having = (more: Partial<ModelEntry>) => ({ ...model, ...more })
  const progress = afterEvent(undefined, { ...PLACE, filename: 'a/b', downloaded: 0, total: 0, pct: 0, phase: 'install_start' })!
  const queued = having({ installing: true, download: { state: 'queued', error: null, code: null, position: 1 } })
  assert.equal(phaseOf(queued, progress), 'queued')
  assert.equal(phaseOf(queued, { ...progress, total: 5 }), 'downloading', 'the list is older than the event')
  assert.equal(phaseOf(having({ download: { state: 'downloading', error: null, code: null, position: 0 } }), undefined), 'downloading')
  const failed = having({ incomplete: true, download: { state: 'failed', error: 'no space', code: 'STORAGE_FULL', position: null } })
  assert.deepEqual([phaseOf(failed, undefined), phaseOf(failed, progress)], ['failed', 'downloading'])
  assert.deepEqual([phaseOf(model, undefined), phaseOf(having({ incomplete: true }), undefined)], ['none', 'partly'])
  assert.equal(phaseOf(having({ installed: true }), undefined), 'installed')
})

test('a model fits with a fifth of memory and disk to spare, is tight without, and else does not fit', () => {
  const needing = (bytes: number) => ({ ...model, memory_bytes: bytes })
  const gib = 2 ** 30
  assert.deepEqual(
    [4, 6.6, 7, 9].map((size) => fitOf(needing(size * gib), room)),
    ['fits', 'fits', 'tight', 'no'],
  )
  assert.deepEqual(
    [3.9, 4.5, 13.9, 14].map((freeGb) => fitOf(model, { ...room, freeGb })),
    ['no', 'tight', 'tight', 'fits'],
  )
  assert.equal(fitOf({ ...model, installed: true, size_on_disk_bytes: 4e9 }, { ...room, freeGb: 1 }), 'fits', 'it needs no more space')
  assert.equal(fitOf(needing(900 * gib), { ...room, memoryGb: null }), 'fits', 'an unknown memory is no obstacle')
})

test('a card offers an installed model, one that comes, or the first that fits and asks no consent', () => {
  const [speech, cloning] = JOBS as [(typeof JOBS)[0], (typeof JOBS)[0]]
  const row = (repo_id: string, more: Partial<ModelEntry>): ModelEntry => ({ ...model, repo_id, offered_for: ['speech'], ...more })
  const gated = row('gated', { gated: true })
  const large = row('large', { memory_bytes: 1e12 })
  const free = row('free', {})
  const other = row('other', { installed: true, offered_for: [] })
  const chosen = (models: readonly ModelEntry[], coming = '', job = speech) =>
    modelFor(job, models, room, ({ repo_id }) => repo_id === coming)?.repo_id ?? null
  assert.equal(chosen([gated, large, free]), 'free')
  assert.equal(chosen([gated, large]), 'gated')
  assert.equal(chosen([large]), 'large')
  assert.equal(chosen([gated, free], 'gated'), 'gated')
  assert.equal(chosen([gated, free, other]), 'other', 'any speech model speaks')
  assert.equal(chosen([gated, free, other], '', cloning), null, 'but not any clones')
})

test('a bundle suits the hardware and holds nothing whose licence is accepted by itself', () => {
  const row = (repo_id: string, curated_on: string[], more: Partial<ModelEntry> = {}): ModelEntry => ({
    ...model,
    repo_id,
    curated_on,
    ...more,
  })
  const all = [
    row('a', ['cpu']),
    row('b', ['gpu']),
    row('c', ['cpu', 'gpu']),
    row('d', ['cpu'], { gated: true }),
    row('e', ['cpu'], { size_gb: 90 }),
  ]
  const ids = (hasCard: boolean) => bundleOf(all, hasCard, room).map(({ repo_id }) => repo_id)
  assert.deepEqual(
    [ids(false), ids(true)],
    [
      ['a', 'c'],
      ['b', 'c'],
    ],
  )
})

test('a licence is one phrase', () => {
  assert.deepEqual(['MIT', 'CC-BY-NC-4.0 AND LicenseRef-X', 'scientific purposes only', 'see repository'].map(licencePhrase), [
    'MIT',
    'Non-commercial',
    'Non-commercial',
    'On its page',
  ])
})

test('the hardware of a machine has the units of all sizes on the pages', () => {
  const gpu = {
    vendor: 'nvidia',
    model: 'RTX 4070',
    backend: 'cuda',
    memory_bytes: 12e9,
    free_memory_bytes: 9e9,
    driver_version: '',
    compute_capability: '',
  }
  const host = {
    hostname: 'attic',
    os: 'linux',
    arch: 'x64',
    worker_version: '',
    cpu_count: 8,
    system_memory_bytes: 25e9,
    gpus: [gpu],
    unusable_gpus: [],
  }
  assert.deepEqual(hardwareOf({ host }), { card: 'RTX 4070', cardMemory: '12 GB', cores: '8 cores, 25 GB', system: 'Linux, x64' })
  assert.deepEqual([hardwareOf({ host: {} }), hardwareOf(null), memoryGbOf(null)], [null, null, null])
  assert.equal(memoryGbOf({ host }), 25e9 / 2 ** 30)
})
