import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { z } from 'zod'
import { readForm } from '#control-plane/http/input/form.ts'
import { shapeOf } from '#control-plane/http/input/shape.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n'
const PART = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nabc'

test('a client that leaves before its form is read leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t)
  const asked = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  let shares = 0
  const share = {
    async expect() {
      asked.resolve()
      await gone.promise // a slow disk
    },
    take: async () => {},
    release: () => void shares--,
  }
  const app = fastify()
  await app.register(multipart)
  app.post('/', async (request) => {
    request.raw.once('close', () => gone.resolve())
    await readForm(request, {
      fileNames: ['a'],
      disk: {
        folder,
        budget: {
          open: () => {
            shares++
            return share
          },
        },
      },
    }).then(ended.resolve, ended.resolve)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())

  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(client, 'connect')
  client.write(HEAD + PART)
  await asked.promise
  client.destroy()
  const outcome = await ended.promise
  assert.ok(outcome instanceof Failure && outcome.code === 'CANCELLED')
  assert.deepEqual([shares, readdirSync(folder)], [0, []])
})

test('all values of a field that is a list are kept, and the last one of another field', async (t) => {
  const body = z.strictObject({ langs: z.array(z.string()).default(['es']), name: z.string().optional() })
  const app = fastify()
  await app.register(multipart)
  app.post('/', async (request) => {
    const isList = (name: string) => shapeOf(body).under(name)?.isList === true
    return (await readForm(request, { fileNames: [], disk: null, isList })).fields
  })
  t.after(() => app.close())
  const form = new FormData()
  for (const [name, value] of [
    ['langs', 'es'],
    ['name', 'one'],
    ['langs', 'fr'],
    ['name', 'two'],
  ] as const)
    form.append(name, value)
  const request = new Request('http://x/', { method: 'POST', body: form })
  const reply = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  assert.deepEqual(reply.json(), { langs: ['es', 'fr'], name: 'two' })
})

test('a form that ends in the middle of a part is refused, and one whose client leaves there is cancelled', async (t) => {
  const folder = temporaryFolder(t)
  const share = { expect: async () => {}, take: async () => {}, release: () => {} }
  const outcomes: unknown[] = []
  const app = fastify()
  await app.register(multipart)
  app.post('/', async (request, reply) => {
    const disk = { folder, budget: { open: () => share } }
    outcomes.push(await readForm(request, { fileNames: ['a'], disk }).catch((error: unknown) => error))
    return reply.code(200).send()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const named = (name: string) => PART.replace('"a"', `"${name}"`)
  for (const [body, length] of [
    [named('a'), named('a').length],
    [named('other'), named('other').length],
    [`${named('a')}\r\n${named('other')}`, 2 * PART.length + 6],
    [named('a'), 10_000],
  ] as const) {
    const client = connect(port, '127.0.0.1')
    client.write(`${HEAD.replace('100000', String(length))}${body}`)
    const before = outcomes.length
    if (length > body.length) setTimeout(() => client.destroy(), 50)
    await eventually(() => outcomes.length > before)
    client.destroy()
    const outcome = outcomes.at(-1)
    assert.ok(outcome instanceof Failure, String(outcome))
    assert.equal(outcome.code, length > body.length ? 'CANCELLED' : 'BAD_REQUEST', outcome.message)
    assert.deepEqual(readdirSync(folder), [])
  }
})
