// Values that a setting states are those that the studio accepts: bounds, choices and labels come from the declaration alone.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '#test/support/world/process.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })

type Row = {
  readonly key: string
  readonly page: unknown
  readonly value: unknown
  readonly default: unknown
  readonly secret: boolean
  readonly changed_by: string | null
  readonly form: {
    readonly kind: string
    readonly least: number | null
    readonly most: number | null
    readonly is_whole: boolean
    readonly longest: number | null
    readonly choices: readonly string[]
    readonly is_optional: boolean
  }
}

/** Values at the edges of a form, and those just beyond them. */
function edgesOf({ kind, least, most, is_whole, longest, choices, is_optional }: Row['form']): { good: unknown[]; bad: unknown[] } {
  const optional = is_optional ? { good: [null], bad: [] } : { good: [], bad: [null] }
  const step = is_whole ? 1 : 0.001
  const edges: Readonly<Record<string, { good: unknown[]; bad: unknown[] }>> = {
    switch: { good: [true, false], bad: ['true', 1] },
    number: {
      good: [least ?? 0, most ?? 1e6],
      bad: [
        ...(least === null ? [] : [least - step]),
        ...(most === null ? [] : [most + step]),
        ...(is_whole ? [(least ?? 0) + 0.5] : []),
        '5',
      ],
    },
    text: { good: ['', 'x'.repeat(longest ?? 10)], bad: longest === null ? [5] : ['x'.repeat(longest + 1), 5] },
    choice: { good: [...choices], bad: ['', 'something else'] },
  }
  const own = edges[kind] ?? { good: [], bad: [5] }
  return { good: [...own.good, ...optional.good], bad: [...own.bad, ...optional.bad] }
}

test('each setting accepts what its form says, refuses what is just beyond it, and says so without its key', async () => {
  const world = await open()
  const { settings } = (await world.get('/api/settings/values')).json() as { settings: Row[] }
  const own = settings.filter(({ secret, changed_by }) => !secret && changed_by === null)
  assert.ok(own.filter(({ form }) => form.kind === 'number').length >= 6)
  for (const { key, page, value: before, form } of own) {
    const path = `/api/settings/values/${encodeURIComponent(key)}`
    const { good, bad } = edgesOf(form)
    for (const value of good) {
      const reply = await world.put(path, { value })
      assert.equal(reply.status, 200, `${key} ${JSON.stringify(value)}: ${reply.body}`)
      assert.deepEqual(reply.json().value, value, key)
    }
    for (const value of bad) {
      const reply = await world.put(path, { value })
      assert.equal(reply.status, 400, `${key} ${JSON.stringify(value)}`)
      const { detail } = reply.json()
      assert.match(detail, /^This setting takes [^:]+\.$/, detail)
      if (page !== null) assert.ok(!detail.includes(key), detail)
    }
    assert.equal((await world.put(path, { value: before })).status, 200, key)
  }
})

test('each language of the pages has the names of the settings, and of the checks', async () => {
  const world = await open()
  const { settings } = (await world.get('/api/settings/values')).json() as {
    settings: { key: string; page: { controls: { field: string | null }[] } | null }[]
  }
  const ids = settings.flatMap(({ key, page }) => (page?.controls ?? []).map(({ field }) => (field === null ? key : `${key}.${field}`)))
  const checks = ['/system/diagnose?network=false&deep=false', '/setup/preflight'].map(
    async (path) => (await world.get(path)).json().checks,
  )
  const shown = (await Promise.all(checks)).flat().map(({ id }: { id: string }) => id)
  assert.ok(ids.length > 30 && shown.length > 10)
  const catalogues = join(ROOT, 'control-plane/web/messages')
  for (const tag of readdirSync(catalogues).filter((one) => one !== 'en' && existsSync(join(catalogues, one, 'server.ts')))) {
    const { server } = await import(join(catalogues, tag, 'server.ts'))
    assert.deepEqual(Object.keys(server.settings).toSorted(), ids.toSorted(), tag)
    for (const id of shown) assert.ok(Object.hasOwn(server.checks, id), `${tag}: ${id}`)
  }
})

test('a port that is refused is refused with the range that is accepted', async () => {
  const world = await open()
  const set = async (value: string) => world.post('/system/set-env', { key: 'VOICESTUDIO_SHARE_PORT', value })
  const refused = await set('1023')
  const [, least, most] = /from (\d+) to (\d+)/.exec(refused.json().detail)!
  assert.equal(refused.status, 400)
  for (const port of [least!, most!]) assert.equal((await set(port)).status, 200, port)
  assert.equal((await set(String(Number(most) + 1))).status, 400)
  assert.equal((await set('')).status, 200)
})
