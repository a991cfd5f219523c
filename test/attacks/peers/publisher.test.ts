// A publisher of community voices that means harm: manifests that are huge, lie about themselves, or claim the names of others; recordings that
// change. It bounds memory and files, and what it says reaches clients clean and under its own name.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openFiles } from '#test/control-plane/features/voices/community/local-files.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { ROOT } from '#test/support/world/process.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const [HONEST, EVIL] = ['honest/voices', 'evil/voices']
const CLIPS = 'https://raw.githubusercontent.com/evil/clips'
const WAV = spokenWav({ seconds: 1 })
const BELL = '\u001b]0;owned\u0007\u001b[2J\u202egnp\u2066\u0000\r\n'
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const OF_ONE = ['\u001b[2J', '\u0007', '\u0085', '\u2028', '\u202e', '\u2066', '\u0000']
const preset = (id: string, more: object = {}) => ({
  type: 'preset',
  id,
  name: `Of ${id}`,
  use_case: 'narration',
  instruct: 'male',
  ...more,
})
const voice = (id: string, url = `${CLIPS}/${id}.wav`, more: object = {}) => ({
  type: 'voice',
  id,
  name: `Of ${id}`,
  use_case: 'social',
  audio: { url, ref_text: 'Hello.', ...more },
})
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
const manifest = (...items: unknown[]) => JSON.stringify({ items })
type Answer = (response: ServerResponse, request: IncomingMessage) => void
const says =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(200, headers).end(body)
const redirects =
  (location: string): Answer =>
  (response) =>
    void response.writeHead(302, { location }).end()
const endless =
  (piece: string): Answer =>
  (response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }

test('a community publisher that means harm', { timeout: 300_000 }, async (t) => {
  const files = new Map<string, Answer>([
    [`/${HONEST}/HEAD/manifest.json`, says(manifest(voice('shared', 'https://raw.githubusercontent.com/honest/clips/a.wav')))],
  ])
  const own = (answer: Answer) => files.set(`/${EVIL}/HEAD/manifest.json`, answer)
  const { network } = await openFiles(t, (request, response) => {
    const answer = files.get(request.url ?? '')
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  })
  /** Connections to a server of this machine. */
  let inside = 0
  const internal = createServer((socket) => void socket.destroy(void inside++)).listen(0, '127.0.0.1')
  t.after(() => internal.close())
  await once(internal, 'listening')
  const { port: internalPort } = internal.address() as { port: number }
  const ca = join(temporaryFolder(t), 'ca.pem')
  writeFileSync(ca, network.ca!)
  own(says(manifest()))
  const world = await openWorld(t, {
    env: {
      STUDIO_COMMUNITY_SOURCES: `${HONEST},${EVIL}`,
      NODE_EXTRA_CA_CERTS: ca,
      NODE_OPTIONS: `--import="${pathToFileURL(join(ROOT, 'test/support/peers/publisher-network.ts'))}"`,
      VOICE_STUDIO_TEST_PUBLISHER_PORT: String(network.port),
    },
  })
  const read = async () => {
    const reply = await world.get('/community/manifest?refresh=true')
    assert.equal(reply.status, 200)
    for (const text of textsIn(reply.json())) assert.doesNotMatch(text, UNSAFE)
    return reply.json() as { offline: boolean; items: { id: string; _source_repo: string; preview_url: string; name: string }[] }
  }
  const of = async (source: string) => (await read()).items.filter(({ _source_repo }) => _source_repo === source)

  await t.test('an honest item is there', async () => {
    const { offline, items } = await read()
    assert.deepEqual([offline, items.map(({ id, _source_repo }) => [id, _source_repo])], [false, [['shared', HONEST]]])
  })

  await t.test('answers that are huge, cut off, compressed, elsewhere or no manifest leave the last copy', async () => {
    own(says(manifest(preset('kept'))))
    assert.deepEqual(
      (await of(EVIL)).map(({ id }) => id),
      ['kept'],
    )
    const hostile: Record<string, Answer> = {
      endless: endless('['.repeat(65_536)),
      'one item of 5 MB': says(manifest(preset('x', { sample_script: 'x'.repeat(5_000_000) }))),
      'deep nesting': says('{"items":'.repeat(400_000)),
      'no JSON': says('<html>'),
      'a list': says('[]'),
      'items is a text': says('{"items":"x"}'),
      empty: says(''),
      compressed: says(Buffer.alloc(1000), { 'content-encoding': 'gzip' }),
      'shorter than it says': (response) => void response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy()),
      'unchanged without a validator': (response) => void response.writeHead(304).end(),
      'to this machine': redirects(`http://127.0.0.1:${internalPort}/`),
      'to this machine with TLS': redirects(`https://127.0.0.1:${internalPort}/`),
      'to a file': redirects('file:///etc/passwd'),
      'to another host': redirects('https://evil.example/manifest.json'),
      'to a host that ends like one': redirects('https://evilgithub.com/x'),
      'with a password': redirects('https://github.com@evil.example/'),
      'in a circle': redirects(`https://raw.githubusercontent.com/${EVIL}/HEAD/manifest.json`),
    }
    for (const [what, answer] of Object.entries(hostile)) {
      own(answer)
      const { offline, items } = await read()
      assert.deepEqual([offline, items.map(({ id }) => id)], [true, ['shared', 'kept']], what)
      assert.equal((await world.get('/health')).status, 200, what)
    }
    assert.equal(inside, 0, 'nothing reached this machine')
  })

  await t.test('an item is clean, and belongs to its publisher even if it claims otherwise', async () => {
    const claims = {
      _source_repo: HONEST,
      preview_url: 'https://evil.example/',
      is_community: false,
      pinned: 'source',
      __proto__: { x: 1 },
    }
    own(
      says(
        manifest(
          preset('claims', claims),
          voice('shared', `${CLIPS}/other.wav`, { sha256: 'a'.repeat(64) }),
          ...['../../studio.db', '..', '/etc/passwd', 'a/b', 'a\\b', 'con\0', '', '-'.repeat(129), `x${BELL}`].map((id) => preset(id)),
          ...['name', 'license', 'icon', 'source', 'language', 'sample_script'].flatMap((field) =>
            OF_ONE.map((sign, at) => preset(`${field}-${at}`, { [field]: `Nice${sign}words` })),
          ),
          voice('words', `${CLIPS}/words.wav`, { ref_text: `Hello${BELL}` }),
          ...[
            'file:///etc/passwd',
            `http://127.0.0.1:${internalPort}/a.wav`,
            'https://evil.example/a.wav',
            'https://github.com:8443/a.wav',
          ].map((url, at) => voice(`u${at}`, url)),
          ...Array.from({ length: 6_000 }, (_, at) => preset(`many-${at}`)),
        ),
      ),
    )
    const items = await of(EVIL)
    assert.ok(items.length > 4_000 && items.length <= 5_000, String(items.length))
    for (const { id, preview_url } of items) {
      assert.match(id, /^[\w-]{1,128}$/)
      assert.equal(preview_url, `/community/items/${id}/preview`)
    }
    assert.ok(items.some(({ id }) => id === 'claims'))
    assert.deepEqual(
      (await of(HONEST)).map(({ id, name }) => [id, name]),
      [['shared', 'Of shared']],
      'the id of another stays with it',
    )
    assert.ok(!items.some(({ id }) => /^u\d$/.test(id)), 'no recording elsewhere')
  })

  await t.test('a recording is the one that was pinned, or is refused', async () => {
    const right = createHash('sha256').update(WAV).digest('hex')
    own(
      says(
        manifest(
          voice('swapped'),
          voice('lies', undefined, { sha256: 'a'.repeat(64) }),
          voice('true', undefined, { sha256: right }),
          voice('none'),
          voice('huge'),
          voice('away'),
        ),
      ),
    )
    await read()
    const clip = (id: string, answer: Answer) => files.set(`/evil/clips/${id}.wav`, answer)
    const use = (id: string) => world.post(`/community/items/${id}/use`)
    for (const id of ['swapped', 'lies', 'true']) clip(id, says(WAV))
    clip('none', says('no sound at all'))
    clip('huge', endless('RIFF'.repeat(16_384)))
    clip('away', redirects(`http://127.0.0.1:${internalPort}/a.wav`))
    assert.equal((await world.get('/community/items/swapped/preview')).status, 200)
    clip('swapped', says(spokenWav({ seconds: 2 })))
    assert.equal((await use('true')).status, 200)
    const profiles = async () => (await world.get('/profiles')).json().length as number
    const before = await profiles()
    for (const id of ['swapped', 'lies', 'none', 'huge', 'away']) {
      const { status, body } = await use(id)
      assert.ok((status >= 400 && status < 500) || status === 502, `${id}: ${status} ${body}`)
      assert.doesNotMatch(body.toString(), /root:|studio\.db/)
    }
    assert.equal(await profiles(), before)
    assert.equal(inside, 0)
    for (const name of readdirSync(join(world.dataDir, 'community'))) assert.match(name, /^[0-9a-f]{64}\.json$/)
  })
})
