// The list of models is cached for ten seconds, and dropped at every reported change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBus } from '#control-plane/events/bus.ts'
import { createDownloads } from '#control-plane/features/machines/models/downloads.ts'
import { createLicences } from '#control-plane/features/machines/models/licences/licences.ts'
import { createModels } from '#control-plane/features/machines/models/models.service.ts'
import type { ModelHost } from '#control-plane/kernel/model-host.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'

const ID = CATALOGUE[0]!.id
const nothing = () => {}
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log }

function open() {
  const clock = createFakeClock()
  const state = { requests: 0, target: 'local', isReady: true, fails: false }
  const host = (): ModelHost =>
    ({
      isReady: () => state.isReady,
      async inventory() {
        state.requests++
        if (state.fails) throw new Failure('WORKER_UNREACHABLE', 'no answer')
        return { models: [] }
      },
      removeModel: async () => ({ freed_bytes: 5 }),
      stopInstall: async () => ({}),
      describeAgain: async () => {},
    }) as unknown as ModelHost
  const models = createModels({
    models: CATALOGUE,
    live: host,
    target: () => state.target,
    isKnown: () => true,
    folder: '/models',
    freeDisk: async () => 1e9,
    licences: createLicences({ settings: createOwnerSettings(createFakeSettings()), models: CATALOGUE, cards: { wasShown: () => false } }),
    downloads: createDownloads({ clock }),
    jobs: { add() {}, create: () => assert.fail('nothing is installed'), cancel: async () => {}, page: async () => [] },
    bus: createBus({ clock }),
    clock,
    log,
  })
  return { clock, state, models }
}

test('concurrent requests and those of the next ten seconds share one request to the machine', async () => {
  const { clock, state, models } = open()
  const answers = await Promise.all(Array.from({ length: 100 }, () => models.list()))
  assert.equal(state.requests, 1)
  assert.equal(answers[0]!.models.length, CATALOGUE.length)
  clock.advance(9_999)
  await models.list()
  assert.equal(state.requests, 1)
  clock.advance(1)
  await models.list()
  assert.equal(state.requests, 2)
})

test('a removal, a cancellation and another target drop the cached list', async () => {
  const { state, models } = open()
  await models.list()
  await models.remove(ID)
  await models.list()
  assert.equal(state.requests, 2)
  await models.cancel(ID, undefined)
  await models.list()
  assert.equal(state.requests, 3)
  state.target = 'attic'
  await models.list()
  assert.equal(state.requests, 4)
})

test('neither a failure nor the list of a disconnected machine is cached', async () => {
  const { state, models } = open()
  state.fails = true
  await assert.rejects(models.list(), { code: 'WORKER_UNREACHABLE' })
  state.fails = false
  await models.list()
  assert.equal(state.requests, 2)
  state.isReady = false
  await assert.rejects(models.list(), { code: 'NOT_READY' })
})
