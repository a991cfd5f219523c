// The contracts against the specification (routes.json) and against the list of who may call them (access.txt).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/areas/contracts.ts'
import { accessTable } from '#control-plane/http/describe/access-table.ts'
import { MOUNTED } from '#control-plane/http/server.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const specified = (JSON.parse(read('routes.json')) as { method: string; path: string }[]).map(({ method, path }) => `${method} ${path}`)
const served = [...CONTRACTS, ...MOUNTED].map(({ method, path, extension }) => ({ route: `${method} ${path}`, extension }))
/** How many of the specified routes are served. It may only rise. */
const COVERED = 78

test('a route is specified, or its contract says that it is an extension', () => {
  for (const { route, extension } of served) assert.equal(extension !== true, specified.includes(route), route)
})

test('no specified route that was served is lost', () => {
  const covered = specified.filter((route) => served.some((row) => row.route === route)).length
  assert.equal(
    covered,
    COVERED,
    `${covered} of ${specified.length} specified routes are served: raise the number with the routes, never lower it`,
  )
})

test('the access table is up to date: ./studio docs writes it, and a change of access shows in its diff', () => {
  assert.equal(accessTable([...CONTRACTS, ...MOUNTED]), read('access.txt'))
})

test('every contract has a name of its own', () => {
  const ids = CONTRACTS.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z]+\.[A-Za-z_]+$/)
})
