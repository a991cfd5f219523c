// Each setting declares the right that a change needs: the table of those that need the role own, and every setting tried with a real key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { SETTINGS } from '#control-plane/registry/settings.ts'
import { keyOfPlanted, plantPeople } from '#test/support/guests/planted-people.ts'
import { sharedWorld } from '#test/support/world/world.ts'

/** Reasons for which a change needs the role own, and the settings. A key that ends with `*` stands for all that begin so. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  'it deletes work': ['history.retention', 'history.missing', 'backup.days', 'backup.keep', 'backup.incremental'],
  'it opens a network': ['dubbing.ingest_local_network', 'env.VOICESTUDIO_*', 'worker_endpoints'],
  'it opens a path': ['media_tools.choices', 'storage.models_dir'],
  'it has a secret': ['backup.passphrase', 'hub.token', 'voices.hosted_key', 'llm.provider.<provider>.key', 'people.oidc', 'env.*'],
  'a secret, texts or programs go to where it says': ['hub.mirror', 'hub.mirror_race', 'voices.hosted_url', 'llm.provider.<provider>'],
}
const isOf = (key: string, pattern: string): boolean => (pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern)
/** A summary with such a word needs the role own, or a reason below. */
const SUSPECT = /\b(?:remov|delet|clear|folder|path|address|network|server|listen|token|key|secret|passphrase|prox)/i
const HARMLESS: Readonly<Record<string, string>> = {
  remote_workers_enabled: 'machines are the work of the role operate; what comes in proves itself with a certificate of the authority',
  'dictation.mode': 'a key of the keyboard',
  'longform.cache_gigabytes': 'it removes what can be made again',
  'dubbing.store_gigabytes': 'it removes what can be made again',
  'mcp.enabled': 'MCP has the port and the keys of the other routes',
}
/** Routes that change such settings. The second part takes values away only. */
const SETTERS = {
  open: [
    'settings.setHistoryRetention',
    'settings.chooseModelsDir',
    'settings.setHubToken',
    'settings.clearHubToken',
    'settings.changeHubMirror',
    'settings.changeLlmEndpoint',
    'settings.changeLlmProvider',
    'system.setVariable',
    'voices.writeHosted',
    'workers.nameEndpoints',
    'media.choosePath',
    'people.setProvider',
  ],
  harmless: ['settings.setValue', 'media.useSystem', 'media.restoreTool', 'settings.testHubMirror'],
}

test('every setting that deletes work, opens a network or a path, or has a secret needs the role own', () => {
  const reasons = Object.entries(OWN)
  for (const { key, access, secret, summary } of SETTINGS) {
    const found = reasons.filter(([, patterns]) => patterns.some((pattern) => isOf(key, pattern))).map(([reason]) => reason)
    assert.equal(access, found.length > 0 ? 'own' : 'admin', `${key}: ${found.join(', ') || 'no reason is in the table'}`)
    if (secret) assert.equal(access, 'own', `${key} is a secret`)
    if (access === 'admin' && SUSPECT.test(summary)) assert.ok(HARMLESS[key], `${key}: ${summary}`)
  }
  for (const pattern of [...Object.values(OWN).flat(), ...Object.keys(HARMLESS)])
    assert.ok(
      SETTINGS.some(({ key }) => isOf(key, pattern)),
      `${pattern} is no setting`,
    )
  for (const id of SETTERS.open) {
    const found = CONTRACTS.find((one) => one.id === id)
    assert.ok(found && ['own', 'native'].includes(found.access), `${id}: ${found?.access}`)
  }
})

const open = sharedWorld({
  withoutAgent: true,
  prepare: (dataDir) => plantPeople(dataDir, { operate: 'operate', own: 'own' }),
})

test('a person with the role operate changes every other setting, and none of these by any route', async () => {
  const world = await open()
  const as = (id: string) => ({ authorization: `Bearer ${keyOfPlanted(id)}` })
  const { settings } = (await world.get('/api/settings/values')).json() as { settings: { key: string }[] }
  const needsOwn = (key: string): boolean => {
    const declared =
      SETTINGS.find((one) => one.key === key) ?? SETTINGS.find((one) => new RegExp(`^${one.key.replace(/<\w+>/, '.+')}$`).test(key))
    return declared!.access === 'own'
  }
  assert.ok(settings.filter(({ key }) => needsOwn(key)).length > 20)
  const mayChange = async (id: string) =>
    new Map(
      ((await world.send('GET', '/api/settings/values', undefined, as(id))).json().settings as { key: string; may_change: boolean }[]).map(
        (one) => [one.key, one.may_change],
      ),
    )
  const [operator, owner] = [await mayChange('operate'), await mayChange('own')]
  for (const { key } of settings) {
    assert.deepEqual([operator.get(key), owner.get(key)], [!needsOwn(key), true], key)
    // No setting takes this value.
    const set = (id: string) => world.send('PUT', `/api/settings/values/${encodeURIComponent(key)}`, { value: [{}] }, as(id))
    const { status, body } = await set('operate')
    if (needsOwn(key)) {
      assert.equal(status, 403, key)
      assert.match(body.toString(), /This needs the role own, and this key has the role operate\./)
    } else assert.ok(status === 400 || status === 409, `${key}: ${status} ${body}`)
    assert.ok([400, 409].includes((await set('own')).status), key)
  }
  for (const [method, path, body] of [
    ['PUT', '/api/settings/history-retention', { cap: 1 }],
    ['PUT', '/api/settings/storage/models-dir', { authorization: 'x' }],
  ] as const)
    assert.equal((await world.send(method, path, body, as('operate'))).status, 403, path)
  assert.equal((await world.get('/api/settings/history-retention')).json().cap, 200)
  assert.equal((await world.send('PUT', '/api/settings/values/longform.notes', { value: 'end' }, as('operate'))).status, 200)
})
