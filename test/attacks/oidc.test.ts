// Signing in with OpenID Connect, against a real studio and a real provider: who is signed in, what each refusal is, and what a hostile provider or another
// browser cannot do.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { SIGN_IN_RETURN, SIGN_IN_START } from '#control-plane/features/operate/people/people.contract.ts'
import { type Accounts, CLIENT_ID, createVisitor, openIdentities, signInThere, type Visitor } from '#test/support/identities/provider.ts'
import { freePort, openWorld, type World } from '#test/support/world/world.ts'

const ACCOUNTS: Accounts = {
  'sub-ada': { email: 'Ada@example.org', email_verified: true },
  'sub-twin': { email: 'ada@example.org', email_verified: true },
  'sub-bob': { email: 'bob@example.org', email_verified: false },
  'sub-carol': { email: 'carol@example.org', email_verified: false },
  'sub-eve': { email: 'eve@example.org', email_verified: true },
}

/** `base`: the path that the studio is served under. */
async function open(t: TestContext, base = '') {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_BASE_PATH: base } })
  const home = world.url + base
  const identities = await openIdentities(t, home + SIGN_IN_RETURN, ACCOUNTS)
  const set = (issuer = identities.issuer, more: object = {}) =>
    world.send('PUT', '/people/oidc', {
      ...{ issuer, client_id: CLIENT_ID, client_secret: identities.secret, public_address: home, label: 'Example' },
      ...more,
    })
  const add = async (body: object) => (await world.post('/people', body)).json() as { person: { id: string }; key: string }
  /** The address at the studio with which a sign-in comes back. */
  const toReturn = async (visitor: Visitor, account: string) => {
    const { next, status } = await visitor.visit(`${home}${SIGN_IN_START}?page=%23%2Fjobs`)
    assert.equal(status, 303)
    return signInThere(visitor, next!, account, home)
  }
  const signIn = async (account: string) => {
    const visitor = createVisitor()
    return { visitor, answer: await visitor.visit(await toReturn(visitor, account)) }
  }
  return { world, home, identities, set, add, toReturn, signIn }
}
const reasonOf = ({ next }: { readonly next: string | null }) => new URL(next ?? 'none:').searchParams.get('refused')
const meOf = async (world: World, { cookies }: Visitor) => {
  const answer = await fetch(`${world.url}/people/me`, { headers: { cookie: `svc_session=${cookies.get('svc_session')}`, via: 'a proxy' } })
  return { status: answer.status, ...(answer.ok && ((await answer.json()) as { name: string; role: string; expires_at: number | null })) }
}

test('people whom the owner added sign in with the provider, and no other account does', { timeout: 120_000 }, async (t) => {
  const { world, identities, set, add, toReturn, signIn } = await open(t)
  for (const path of [SIGN_IN_START, SIGN_IN_RETURN, `${SIGN_IN_RETURN}?state=x&code=y`]) assert.equal((await world.get(path)).status, 404)
  assert.equal((await world.get('/people/oidc')).json(), null)
  const stored = (await set(identities.issuer.replace('http:', ' HTTP:'))).json()
  assert.equal(stored.issuer, identities.issuer, 'the form in which the provider writes it')
  assert.deepEqual([stored.redirect_address, stored.client_secret], [world.url + SIGN_IN_RETURN, undefined])
  assert.deepEqual((await world.post('/people/oidc/test', {})).json(), { problem: null })
  const ada = await add({ name: 'Ada', sign_in: { email: 'ADA@example.org' } })
  await add({ name: 'Bob', sign_in: { email: 'bob@example.org' } })
  await add({ name: 'Carol', role: 'listen', sign_in: { subject: 'sub-carol' } })
  assert.equal((await world.post('/people', { name: 'Twin', sign_in: { email: 'ada@example.org' } })).status, 409)

  const first = await signIn('sub-ada')
  assert.equal(first.answer.status, 200, `${first.answer.next} ${first.answer.text}\n${world.studio.output()}`)
  assert.match(first.answer.text, /content="0;url=\/#\/jobs"/)
  assert.match(first.answer.headers.getSetCookie().join(), /svc_session=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict/)
  const me = await meOf(world, first.visitor)
  assert.deepEqual([me.name, me.role, me.expires_at], ['Ada', 'create', null])
  const list = (await world.get('/people')).json() as { name: string; sign_in: object }[]
  assert.deepEqual(list[0]!.sign_in, { email: 'ada@example.org', issuer: identities.issuer, subject: 'sub-ada' })
  assert.equal((await signIn('sub-carol')).answer.status, 200, 'an account that the owner named needs no address')

  for (const [account, reason] of [
    ['sub-twin', 'other'],
    ['sub-bob', 'unverified'],
    ['sub-eve', 'unknown'],
  ] as const) {
    const { answer, visitor } = await signIn(account)
    assert.deepEqual([answer.status, reasonOf(answer)], [303, reason], account)
    assert.equal(visitor.cookies.has('svc_session'), false)
  }
  assert.equal(((await world.get('/people?ended=true')).json() as unknown[]).length, 3, 'nothing is created')

  // A state is for one use and one browser.
  const visitor = createVisitor()
  const address = await toReturn(visitor, 'sub-ada')
  const other = createVisitor()
  await other.visit(world.url + SIGN_IN_START)
  assert.equal(reasonOf(await other.visit(address)), 'expired', 'another browser')
  assert.equal(reasonOf(await visitor.visit(address.replace('state=', 'state=x'))), 'expired')
  for (const method of ['HEAD', 'POST']) {
    const looked = await fetch(address, { method, headers: { cookie: `svc_oidc=${visitor.cookies.get('svc_oidc')}` } })
    assert.deepEqual([looked.status, looked.headers.getSetCookie()], [405, []], `${method} signs no browser in and uses nothing up`)
  }
  for (const query of ['state=a&state=b', 'state=a&code=b&code=c'])
    assert.equal((await visitor.visit(`${world.url}${SIGN_IN_RETURN}?${query}`)).status, 422)
  assert.equal(
    (await visitor.visit(`${address}&session_state=x&scope=openid%20email`)).status,
    200,
    'it is still there for its own, and providers add parameters',
  )
  assert.equal(reasonOf(await visitor.visit(address)), 'expired', 'a second time')
  const leaving = createVisitor()
  const state = new URL((await leaving.visit(world.url + SIGN_IN_START)).next!).searchParams.get('state')
  assert.equal(reasonOf(await leaving.visit(`${world.url}${SIGN_IN_RETURN}?error=access_denied&state=${state}`)), 'cancelled')

  // What was opened ends with the identity, a lower right and the person.
  const path = `/people/${ada.person.id}`
  for (const end of [
    () => world.patch(path, { sign_in: { email: 'ada@example.org' } }),
    () => world.patch(path, { role: 'listen' }),
    () => world.patch(path, { sign_in: null }),
    () => world.delete(path),
  ]) {
    const { visitor } = await signIn('sub-ada')
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/events`, {
      headers: { cookie: `svc_session=${visitor.cookies.get('svc_session')}`, origin: world.url, via: 'a proxy' },
    })
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.once('open', resolve))
    const at = performance.now()
    assert.equal((await end()).status, 200)
    if (String(end).includes("email: 'ada@example.org'")) {
      assert.equal((await meOf(world, visitor)).status, 200, 'the same address ends nothing')
      socket.terminate()
      continue
    }
    assert.equal(await closed, 1008)
    assert.ok(performance.now() - at < 1_000, `${performance.now() - at} ms`)
    assert.equal((await meOf(world, visitor)).status, 401)
    if (String(end).includes('sign_in: null')) {
      assert.equal(reasonOf((await signIn('sub-ada')).answer), 'unknown')
      assert.equal((await world.patch(path, { sign_in: { email: 'ada@example.org' } })).status, 200)
    }
  }

  // Only the owner reads and changes the provider, and its secret is nowhere in plain.
  const bearer = { authorization: `Bearer ${(await add({ name: 'Operator', role: 'operate' })).key}` }
  for (const [method, target] of [
    ['GET', '/people/oidc'],
    ['DELETE', '/people/oidc'],
    ['POST', '/people/oidc/test'],
  ] as const)
    assert.equal((await world.send(method, target, undefined, bearer)).status, 403, target)
  const values = (await world.send('GET', '/api/settings/values', undefined, bearer)).body.toString()
  const places = [values, (await world.get('/people/oidc')).body.toString(), world.studio.output()]
  for (const name of ['studio.db', 'studio.db-wal']) places.push(readFileSync(join(world.dataDir, name), 'latin1'))
  for (const text of places) assert.ok(!text.includes(identities.secret))
  const code = new URL(address).searchParams.get('code')!
  assert.ok(!world.studio.output().includes(code), 'codes are not in the log')
  assert.ok(!values.includes(CLIENT_ID) && !values.includes(identities.issuer))

  const carol = await signIn('sub-carol')
  assert.equal((await world.delete('/people/oidc')).status, 200)
  assert.equal((await meOf(world, carol.visitor)).status, 401)
  assert.equal((await world.get(SIGN_IN_START)).status, 404)
})

test('a provider that is away, floods or lies signs no browser in, and the page says so', { timeout: 120_000 }, async (t) => {
  const { world, home, identities, set, add, toReturn, signIn } = await open(t, '/voice')
  await add({ name: 'Ada', sign_in: { email: 'ada@example.org' } })
  const start = async () => reasonOf(await createVisitor().visit(home + SIGN_IN_START))
  let answer = (_proof = ''): string => 'x'.repeat(2 * 1024 * 1024)
  let status = 200
  let asked = 0
  const hostile = createServer((request, response) => {
    asked++
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer(request.headers.authorization))
  })
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    hostile.close()
    hostile.closeAllConnections()
  })
  const from = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`

  assert.equal((await set(`http://127.0.0.1:${await freePort()}`)).status, 200)
  assert.equal(await start(), 'unreachable')
  assert.match((await world.post('/people/oidc/test', {})).json().problem, /gave no answer: ECONNREFUSED/)
  assert.equal((await set(from)).status, 200)
  assert.deepEqual(await Promise.all([start(), start(), start()]), ['failed', 'failed', 'failed'])
  assert.equal(asked, 1, 'sign-ins wait for one description, and a failure is remembered')
  const described = (more: object) => () =>
    JSON.stringify({
      issuer: from,
      authorization_endpoint: `${from}/auth`,
      token_endpoint: `${from}/token`,
      jwks_uri: `${from}/keys`,
      ...more,
    })
  for (const [name, more] of [
    ['another issuer', { issuer: 'https://other.example' }],
    ['an endpoint without TLS', { authorization_endpoint: 'http://other.example/auth' }],
    ['an endpoint that is no web address', { authorization_endpoint: 'javascript:alert(1)' }],
  ] as const) {
    answer = described(more)
    assert.notEqual((await world.post('/people/oidc/test', {})).json().problem, null, name)
    assert.equal(await start(), 'failed', name)
  }
  answer = described({})
  assert.equal((await world.post('/people/oidc/test', {})).json().problem, null)
  const visitor = createVisitor()
  const state = new URL((await visitor.visit(home + SIGN_IN_START)).next!).searchParams.get('state')
  answer = () => '{"access_token":"a","token_type":"bearer","id_token":"eyJhbGciOiJub25lIn0.e30."}'
  assert.equal(reasonOf(await visitor.visit(`${home}${SIGN_IN_RETURN}?code=the-code&state=${state}`)), 'failed', 'an unsigned token')
  assert.ok(!world.studio.output().includes('the-code'))
  const again = new URL((await visitor.visit(home + SIGN_IN_START)).next!).searchParams.get('state')
  const proofs: string[] = []
  answer = (proof = '') => JSON.stringify({ error: 'invalid_client', error_description: `not known: ${proofs[proofs.push(proof) - 1]}` })
  status = 400
  assert.equal(
    reasonOf(await visitor.visit(`${home}${SIGN_IN_RETURN}?code=x&state=${again}`)),
    'failed',
    'a provider that repeats the proof',
  )
  assert.match(world.studio.output(), /invalid_client; not known: Basic <secret>/)
  assert.ok(proofs[0]!.length > 20 && !world.studio.output().includes(proofs[0]!.slice(6)), 'the secret is in the log in no form')
  status = 200

  for (const [name, issuer, more] of [
    ['no TLS', 'http://id.example.org', {}],
    ['no address', 'id.example.org', {}],
    ['no TLS of the page', identities.issuer, { public_address: 'http://studio.example.org' }],
    ['another name', identities.issuer, { public_address: 'https://studio.example.org' }],
    ['another path', identities.issuer, { public_address: `${world.url}/other` }],
    ['no secret', identities.issuer, { client_secret: undefined }],
  ] as const)
    assert.equal((await set(issuer, more)).status, 400, name)

  // The provider goes away between the start and the return; another one takes its place.
  assert.equal((await set()).status, 200)
  const { visitor: signedIn, answer: page } = await signIn('sub-ada')
  assert.match(page.text, /content="0;url=\/voice\/#\/jobs"/)
  assert.match(page.headers.getSetCookie().join(), /svc_session=[^;]+; Path=\/voice;/)
  const late = createVisitor()
  const address = await toReturn(late, 'sub-ada')
  await identities.stop()
  assert.equal((await late.visit(address)).next, `${home}/sign-in?refused=unreachable`)
  assert.equal((await meOf(world, signedIn)).name, 'Ada')
  assert.equal((await set(from)).status, 200)
  assert.equal((await meOf(world, signedIn)).status, 401, 'sign-ins end with their provider')
})
