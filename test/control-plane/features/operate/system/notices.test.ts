// Each notification is present exactly as long as its cause.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NoticeState, noticesOf } from '#control-plane/features/operate/system/notices/notices.rules.ts'
import { OLDEST_CAPABILITY } from '#shared/protocol/fields/gpu-causes.ts'

const gpu = (compute_capability: string, backend = 'cuda') => ({
  vendor: 'NVIDIA',
  model: 'A card',
  backend,
  memory_bytes: 1,
  free_memory_bytes: 1,
  driver_version: '1',
  compute_capability,
})
const record = {
  detected_at: 1_795_000_000.123,
  started_at: 1,
  ended_between: [1, 2] as [number, number],
  uptime_hint_s: 1,
  version: '1',
  last_activity: { ts: 1, kind: 'speech.speak', detail: null },
  log_tail: [],
}
const quiet: NoticeState = {
  hasHubToken: true,
  gpus: [gpu('8.6')],
  unusableGpus: [],
  ffmpegPath: '/bin/ffmpeg',
  freeDisk: 5e9,
  lastRun: { record: null, acknowledged: true },
  isCrashLogUnseen: false,
  logProblem: null,
  proxyProblem: null,
  jobsSetAside: 0,
  missingTakes: 0,
  backupProblem: null,
  invalidSettings: [],
  newerVersion: null,
  version: '1.0.0',
}
const CAUSES: readonly (readonly [id: string, level: string, state: Partial<NoticeState>])[] = [
  ['hf-token-missing', 'warn', { hasHubToken: false }],
  ['gpu-arch-unsupported', 'error', { gpus: [gpu((OLDEST_CAPABILITY - 0.1).toFixed(1))] }],
  ['gpu-unavailable', 'info', { gpus: [] }],
  ['gpu-unusable', 'warn', { unusableGpus: [{ model: 'A card', reason: 'its driver is too old', code: 'driver-old', fix: '' }] }],
  ['ffmpeg-missing', 'error', { ffmpegPath: null }],
  ['disk-low', 'warn', { freeDisk: 4_999_999_999 }],
  ['last-run-crash-1795000000123', 'error', { lastRun: { record, acknowledged: false } }],
  ['crash-last-session', 'error', { isCrashLogUnseen: true }],
  ['log-not-written', 'warn', { logProblem: 'ENOSPC' }],
  ['proxy-unusable', 'error', { proxyProblem: 'A proxy needs a newer Node.' }],
  ['takes-missing', 'error', { missingTakes: 4 }],
  ['backup-failed', 'error', { backupProblem: 'failed' }],
  ['backup-old', 'warn', { backupProblem: 'old' }],
  ['settings-invalid', 'warn', { invalidSettings: ['hub.token'] }],
]
const ids = (state: Partial<NoticeState>) => noticesOf({ ...quiet, ...state }).map(({ id, level }) => [id, level])

test('no cause, no notification', () => {
  assert.deepEqual(ids({}), [])
  for (const state of [
    { freeDisk: null },
    { gpus: null },
    { lastRun: { record, acknowledged: true } },
    { gpus: [gpu('3.5', 'vulkan')] },
    { gpus: [gpu('')] },
    { gpus: [gpu(OLDEST_CAPABILITY.toFixed(1))] },
  ])
    assert.deepEqual(ids(state), [])
})

test('a card that cannot be used is named with the reason', () => {
  const [notice] = noticesOf({
    ...quiet,
    gpus: [],
    unusableGpus: [{ model: 'NVIDIA T4', reason: 'the NVIDIA driver is too old', code: 'driver-old', fix: '' }],
  })
  assert.match(notice!.message, /^NVIDIA T4 is present, not usable, because the NVIDIA driver is too old\. /)
})

test('a newer version is news, and neither a warning nor an error', () => {
  assert.deepEqual(ids({ newerVersion: '1.1.0' }), [['update-available', 'info']])
  const [{ title, message } = { title: '', message: '' }] = noticesOf({ ...quiet, newerVersion: '1.1.0' })
  assert.deepEqual([title, message], ['Version 1.1.0 is published', 'This is version 1.0.0. The settings say how to update.'])
})

test('each cause alone raises its notification, and all together the errors first', () => {
  for (const [id, level, state] of CAUSES) assert.deepEqual(ids(state), [[id, level]])
  const all = Object.assign({}, ...CAUSES.flatMap(([id, , cause]) => (id === 'gpu-unavailable' || id === 'backup-failed' ? [] : [cause])))
  const levels = ids(all).map(([, level]) => level)
  assert.equal(levels.length, CAUSES.length - 2)
  assert.deepEqual(levels, [...levels].sort())
})
