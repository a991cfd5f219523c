// The routes as they are against the specification (routes.json) and against the list of who may call them (access.txt).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { routes } from '#control-plane/areas/areas.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const specified = (JSON.parse(read('routes.json')) as { method: string; path: string }[]).map(({ method, path }) => `${method} ${path}`)
// Describing the rows calls none of the use cases they close over.
const rows = routes({ version: '0' } as Parameters<typeof routes>[0])
const served = [
  ...rows.map(({ method, path, access }) => ({ route: `${method} ${path}`, access })),
  // Mounted by the server itself: a folder, not a use case.
  { route: 'GET /audio/{filename}', access: 'consume' },
]
const ours = [
  'DELETE /models/{owner}/{name}',
  'DELETE /workers/{worker_id}/consent',
  'GET /',
  'GET /audio/{filename}',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/swagger-ui-bundle.js',
  'GET /docs/swagger-ui.css',
  'GET /metrics',
  'GET /openapi.json',
  'GET /panel/{file}',
  'GET /panel/{folder}/{file}',
  'GET /panel/{folder}/{page}/{file}',
  'GET /workers/activity',
  'GET /workers/authority',
  'GET /workers/events',
  'GET /workers/local',
  'GET /workers/{worker_id}/logs',
  'GET /workers/{worker_id}/logs/stream',
  'POST /workers/authority',
  'POST /workers/{worker_id}/drain',
  'POST /workers/{worker_id}/release',
]
/** How many of the specified routes are served. It may only rise. */
const COVERED = 70

test('a route is served as it is specified, or named here as one of ours', () => {
  const unknown = served.map(({ route }) => route).filter((route) => !specified.includes(route))
  assert.deepEqual(
    unknown.sort(),
    ours.filter((route) => !specified.includes(route)),
  )
})

test('no specified route that was served is lost', () => {
  const covered = specified.filter((route) => served.some((row) => row.route === route)).length
  assert.equal(
    covered,
    COVERED,
    `${covered} of ${specified.length} specified routes are served: raise the number with the routes, never lower it`,
  )
})

test('who may call what changes only together with the list', () => {
  const list = served.map(({ route, access }) => `${route} ${access}`).sort()
  assert.equal(`${list.join('\n')}\n`, read('access.txt'))
})

test('every row has a name of its own', () => {
  const ids = rows.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z]+\.[A-Za-z_]+$/)
})
