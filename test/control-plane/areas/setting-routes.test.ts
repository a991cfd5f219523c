import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { settingContracts, settingRoutes } from '#control-plane/areas/setting-routes.ts'
import { openapi } from '#control-plane/http/describe/openapi.ts'
import { createOwnerSettings, setting } from '#control-plane/store/setting.ts'

const Retention = z.strictObject({ cap: z.int().min(0).max(100) })
const retention = setting({ key: 'history.retention', schema: Retention, fallback: { cap: 20 }, summary: 'How many takes are kept.' })
const row = { id: 'library.historyRetention', path: '/api/settings/history-retention', access: 'admin' } as const

test('the routes of a setting follow from its declaration', async () => {
  const contracts = settingContracts(retention, row)
  assert.deepEqual([contracts.read.id, contracts.read.method], ['library.readHistoryRetention', 'GET'])
  assert.deepEqual([contracts.write.id, contracts.write.method], ['library.writeHistoryRetention', 'PUT'])
  const document = openapi({ contracts: Object.values(contracts) }, { title: 'T', version: '1' }) as { paths: Record<string, object> }
  assert.deepEqual(Object.keys(document.paths[row.path]!), ['get', 'put'])

  const texts = new Map<string, string>()
  const store = { get: (key: string) => texts.get(key) ?? null, set: (key: string, text: string) => void texts.set(key, text) }
  const [read, write] = settingRoutes(retention, contracts, createOwnerSettings(store))
  assert.deepEqual(await read!.run({} as never), { cap: 20 })
  assert.deepEqual(await write!.run({ body: { cap: 5 } } as never), { cap: 5 })
  assert.deepEqual(await read!.run({} as never), { cap: 5 })
})

test('a secret setting has no routes', () => {
  const token = setting({ key: 'token', schema: z.string(), fallback: '', summary: 'A token.', secret: true })
  assert.throws(() => settingContracts(token, row), /is secret/)
})
