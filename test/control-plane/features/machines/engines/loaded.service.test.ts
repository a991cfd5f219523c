import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoaded, type Resident } from '#control-plane/features/machines/engines/loaded/loaded.service.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { offer } from '#test/support/doubles/offers.ts'

type Machine = { held: string[]; seen: string[]; answers: boolean }

/** Machines whose regular snapshots, `seen`, are older than what they hold. */
function open(machines: Record<string, Machine>, loading: readonly string[] = [], where = 'auto') {
  const sessions = Object.entries(machines).map(
    ([workerId, machine]): Resident => ({
      workerId,
      residentModels: () => machine.seen,
      refreshSnapshot: async () => {
        if (machine.answers) machine.seen = [...machine.held]
        return machine.answers
      },
      unload: async (engine) => {
        const unloaded = machine.held.filter((name) => name.startsWith(`${engine}:`)).map(() => engine)
        machine.held = machine.held.filter((name) => !name.startsWith(`${engine}:`))
        return { unloaded, reason: '' }
      },
    }),
  )
  const live = () => loading.map((engine) => ({ task: { phase: 'loading' }, spec: { operation: 'tts', engine } }) as unknown as TaskRecord)
  return createLoaded({
    engines: { active: (family) => (family === 'tts' ? 'svc-engine' : 'faster-whisper'), find: () => undefined },
    sessions: () => sessions,
    target: () => where,
    offered: () => [offer()],
    labelOf: (target) => `Machine ${target}`,
    live,
    gpus: () => [],
  })
}

test('every answer is newer than the regular snapshots', async () => {
  const local = { held: ['svc-engine:'], seen: [], answers: true }
  const loaded = open({ local })
  assert.deepEqual([(await loaded.status()).status, (await loaded.list()).count], ['ready', 1])
  assert.deepEqual(await loaded.unload('tts'), { unloaded: 'tts', success: true })
  assert.deepEqual(await loaded.unload('tts'), { unloaded: 'tts', success: false, reason: 'not loaded' })
  assert.deepEqual([(await loaded.status()).status, (await loaded.list()).count], ['idle', 0])
})

test('a machine that does not answer counts as it was last seen, and the list says so', async () => {
  const loaded = open({ local: { held: ['svc-engine:'], seen: [], answers: true }, attic: { held: [], seen: ['kokoro:'], answers: false } })
  const { models, degraded_sources } = await loaded.list()
  assert.equal(models.find(({ id }) => id === 'engine:kokoro')?.note, 'On Machine attic.', 'by its name, and not by its id')
  assert.deepEqual([models.map(({ id }) => id).sort(), degraded_sources], [['engine:kokoro', 'tts'], ['engines']])
  const only = open({ local: { held: [], seen: [], answers: true }, attic: { held: [], seen: [], answers: false } }, [], 'local')
  assert.deepEqual((await only.list()).degraded_sources, [], 'machines that are not the target are not asked')
})

test('an engine that is being loaded is busy, not missing', async () => {
  const loaded = open({ local: { held: [], seen: [], answers: true } }, ['svc-engine'])
  assert.deepEqual([(await loaded.status()).status, (await loaded.unload('tts')).reason], ['loading', 'not running or busy'])
})
