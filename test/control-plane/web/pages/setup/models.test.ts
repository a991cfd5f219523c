import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DownloadEvent } from '#control-plane/features/machines/models/download-events.schema.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { afterEvent, phaseOf } from '#control-plane/web/pages/setup/downloads.ts'
import { obstacleOf, sizeOf, warningsOf } from '#control-plane/web/pages/setup/fit.ts'
import { summaryOf } from '#control-plane/web/pages/setup/state.ts'

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

test('the checks are summed up as failed, ready with suggestions, or ready', () => {
  const check = (status: 'pass' | 'warn' | 'fail') => ({ id: status, label: '', status, detail: '', fix: null })
  assert.equal(summaryOf([check('pass')]), 'Ready')
  assert.equal(summaryOf([check('pass'), check('warn'), check('warn'), check('warn')]), 'Ready, with 3 suggestions')
  assert.equal(summaryOf([check('fail'), check('warn')]), '1 of 2 checks failed.')
})
