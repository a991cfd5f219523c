// The API description and its viewer, as a browser on this machine receives them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedWorld } from '#test/support/world/world.ts'

type Json = Record<string, unknown>
type Operation = {
  operationId: string
  summary: string
  'x-access': string
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { $ref?: string; description: string; content?: Record<string, { schema: Json }> }>
}
type Description = {
  openapi: string
  info: Json
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'headers' | 'responses', Json>
}

const ROUTES = `
  GET /health · POST /v1/audio/speech · GET /v1/audio/voices · POST /generate
  GET /history · DELETE /history · PUT /history/{history_id}/starred · DELETE /history/{history_id}
  GET /workers · GET /workers/target · POST /workers/target · POST /workers/enabled · POST /workers/enrollments
  PATCH /workers/{worker_id} · DELETE /workers/{worker_id} · POST /workers/{worker_id}/consent · DELETE /workers/{worker_id}/consent
  GET /workers/tasks · POST /workers/tasks · POST /workers/tasks/{task_id}/cancel
  GET /openapi.json · GET /docs`
  .split(/·|\n/)
  .map((route) => route.trim())
  .filter(Boolean)

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)))
}

/** Answers without a body. */
const WITHOUT_BODY = /^(101|204|304) |^202 POST \/mcp$|^303 GET \/sign-in\//

const open = sharedWorld({ withoutAgent: true })

test('the API description', async (t) => {
  const world = await open()
  const description = (await world.get('/openapi.json')).json() as Description
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, path, operation })),
  )

  await t.test('contains the version and every route of this version', () => {
    assert.match(description.openapi, /^3\.1\.\d$/)
    assert.match(String(description.info['version']), /^\d+\.\d+\.\d+$/)
    const routes = operations.map(({ route }) => route)
    for (const route of ROUTES) assert.ok(routes.includes(route), route)
  })

  await t.test('every reference resolves, and every component is used', () => {
    const refs = new Set(refsIn(description))
    const { schemas, headers, responses } = description.components
    const names = Object.entries({ schemas, headers, responses }).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    )
    for (const ref of refs) assert.ok(names.includes(ref), `${ref} leads nowhere`)
    for (const name of names) assert.ok(refs.has(name), `${name} is used nowhere`)
  })

  await t.test('every operation has a unique id, a summary, an access level, and responses', () => {
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
    for (const { route, path, operation } of operations) {
      assert.ok(operation.summary.length > 5, route)
      assert.match(operation['x-access'], /^(open|consume|local|admin|own|loopback|native)$/, route)
      assert.ok(
        Object.keys(operation.responses).some((status) => /^(101|2\d\d|303)$/.test(status)) && operation.responses['default'],
        route,
      )
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      assert.deepEqual(
        inPath,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        route,
      )
      for (const [status, { $ref, content }] of Object.entries(operation.responses))
        if ($ref === undefined) assert.equal(content === undefined, WITHOUT_BODY.test(`${status} ${route}`), `${status} ${route}`)
    }
  })

  await t.test('states the limits and defaults of a request', () => {
    const body = description.paths['/v1/audio/speech']!['post']!.requestBody!.content['application/json']!.schema['$ref'] as string
    const schema = description.components.schemas[body.split('/').at(-1)!] as { required: string[]; properties: Record<string, Json> }
    assert.deepEqual(schema.required, ['input'])
    assert.equal(schema.properties['input']!['maxLength'], 4096)
    assert.deepEqual([schema.properties['speed']!['minimum'], schema.properties['speed']!['maximum']], [0.25, 4])
    assert.deepEqual(schema.properties['response_format']!['enum'], ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'])
    assert.equal(schema.properties['response_format']!['default'], 'mp3')
    assert.ok(description.paths['/generate']!['post']!.requestBody!.content['multipart/form-data'])
  })

  await t.test('its viewer loads only from this machine', async () => {
    const page = await world.get('/docs')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type')!, /^text\/html/)
    const html = page.body.toString()
    assert.doesNotMatch(html, /https?:|\/\//, 'the page refers to another host')
    assert.doesNotMatch(html, /<script>|onload=|style="/, 'the policy refuses inline scripts and styles')
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => new URL(path!, `${world.url}/docs`).pathname)
    assert.ok(files.length >= 3)
    for (const path of ['/docs', ...files]) {
      const file = await world.get(path)
      assert.equal(file.status, 200, path)
      assert.match(file.headers.get('content-type')!, path.endsWith('.css') ? /^text\/css/ : path.endsWith('.js') ? /javascript/ : /html/)
      assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
      const policy = file.headers.get('content-security-policy')!
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /script-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.ok(file.body.length > 50, path)
    }
    assert.match((await world.get('/docs/start.js')).body.toString(), /"?url"?: .openapi\.json/)
  })
})
