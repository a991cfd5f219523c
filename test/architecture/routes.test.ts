// The contracts against the specification (routes.json) and against the list of who may call them (access.txt).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessTable } from '#control-plane/http/describe/access-table.ts'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { allSources } from './source.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const specified = (JSON.parse(read('routes.json')) as { method: string; path: string }[]).map(({ method, path }) => `${method} ${path}`)
const served = [...CONTRACTS, ...MOUNTED].map(({ method, path, extension }) => ({ route: `${method} ${path}`, extension }))
/** Number of specified routes that are served. It may only rise. */
const COVERED = 273
/** Limit of a file that a handler reads into memory. */
const SMALL_FILE_BYTES = 8 * 1024 * 1024

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

/** Access of limited routes, from the specification; the first row that matches decides. All others are `consume`, or extensions. */
const LIMITED: readonly (readonly [RegExp, string])[] = [
  [/^(GET \/health|(POST|DELETE) \/api\/auth\/session)$/, 'open'],
  [/^(POST \/api\/settings\/asr-openai-compat\/test|POST \/workers\/tasks)$/, 'loopback'],
  [/^POST \/(export|export\/reveal|tools\/probe)$/, 'native'],
  [/ \/media-tools\/[^ ]+\/custom-path$/, 'native'],
  [/ \/dictation\//, 'local'],
  [/ \/(system|model|workers|media-tools|pronunciation|api\/settings|api\/mcp)(\/|$)/, 'admin'],
  [/ \/(sysinfo|clean-audio|stats\/usage)$/, 'admin'],
  [/^(POST|PUT|DELETE) \/engines\//, 'admin'],
  // The log of an installation contains paths of this machine.
  [/^GET \/engines\/(sidecar\/\{engine_id\}\/install\/status|\{engine_id\}\/health)$/, 'admin'],
]

test('specified routes are limited as the specification says, or more where docs/conformance.md gives the reason', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/conformance.md'), 'utf8')
  const [, section = ''] = document.split('## Access is stricter')
  const stricter = new Set([...section.split('\n## ', 1)[0]!.matchAll(/^\| `([A-Z]+ \/\S+)` \|/gm)].map(([, route]) => route!))
  assert.ok(stricter.size > 5)
  for (const { method, path, access, extension } of CONTRACTS) {
    if (extension) continue
    const route = `${method} ${path}`
    const specified = LIMITED.find(([pattern]) => pattern.test(route))?.[1] ?? 'consume'
    // The specification has no people: everybody else who reaches an admin route reaches those of the kind own.
    const asSpecified = access === 'own' ? 'admin' : access
    if (stricter.delete(route)) assert.deepEqual([specified, asSpecified], ['consume', 'admin'], route)
    else assert.equal(asSpecified, specified, route)
  }
  assert.deepEqual([...stricter], [], 'routes that do not exist')
})

/** Parameters of paths that name no object of one client. Voices and clips are read and used by everybody. */
const SHARED_PARAMETERS: Readonly<Record<string, RegExp>> = {
  'a voice or a clip that is read': /^GET \/(profiles|gallery\/voices)\//,
  'a voice or a clip that is used':
    /^POST \/(gallery\/voices\/\{voice_id\}\/(save-as|to)-profile|(marketplace|personas)\/export\/\{profile_id\})$/,
  'a cover, whose random name only its maker was told': /^GET \/audiobook\/covers\//,
  'a file of a voice': /^GET \/voice_audio\//,
  'a bundle in the folder of the owner': /^POST \/marketplace\/install\//,
  'an item of the studio': /^(GET|POST) \/(archetypes|community\/items|v1\/models|panel|sign-in)\//,
  'the name of a project, whose terms have makers': /^(GET|POST|DELETE) \/glossary\/\{project_id\}/,
}
test('a route for one object names its kind, so that other clients do not reach it', () => {
  for (const { method, path, access, of } of CONTRACTS) {
    if (!['open', 'consume', 'local'].includes(access) || !path.includes('{')) continue
    const route = `${method} ${path}`
    if (of) assert.ok(path.includes(`{${of.param}}`), route)
    else
      assert.ok(
        Object.values(SHARED_PARAMETERS).some((pattern) => pattern.test(route)),
        `${route}: whose object is it?`,
      )
  }
})

test('the files of a form are streamed to disk, and one that a handler reads whole names a small limit', () => {
  for (const { id, form, spooled, spooledFilm, fileBytes = 0 } of CONTRACTS) {
    assert.equal(form !== undefined, spooled === true || spooledFilm === true, id)
    assert.ok(fileBytes <= SMALL_FILE_BYTES, id)
  }
})

test('every contract has a name of its own', () => {
  const ids = CONTRACTS.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z]+\.[A-Za-z_]+$/)
})

test('a contract names the request headers that its routes read', () => {
  const named = new Set<string>(CONTRACTS.flatMap(({ reads = [] }) => reads))
  // Of the transport, which say nothing about one route.
  const usual = ['host', 'origin', 'forwarded', 'x-forwarded-proto', 'sec-fetch-site']
  const unnamed = allSources()
    .filter(({ path }) => /^control-plane\/features\/.*\.routes\.ts$/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(/\bheaders\['([a-z-]+)'\]/g)].map(([, header = '']) => ({ path, header })))
    .filter(({ header }) => !usual.includes(header) && !named.has(header))
  assert.deepEqual(unnamed, [])
})
