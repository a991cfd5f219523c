import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SETTING_GROUPS } from '#control-plane/store/setting.ts'
import type { SettingRow } from '#control-plane/web/lib/api-types.ts'
import { rowsOf, SECTIONS, store } from '#control-plane/web/pages/settings/sections.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

test('two switches of one setting that are turned at once are both stored', async (t) => {
  let stored: Record<string, boolean> = { auto: false, smart_cleanup: false, self_correction: true }
  let isRefusing = false
  const fetch: typeof globalThis.fetch = async (_, init) => {
    if (init?.method !== 'PUT') return Response.json({ value: stored })
    if (isRefusing) return Response.json({ detail: 'The disk is full.' }, { status: 507 })
    stored = JSON.parse(String(init.body)).value
    return Response.json({ value: stored })
  }
  replaceGlobals(t, { fetch })
  const setting = { key: 'dictation.refinement' } as SettingRow
  const turn = (field: string, isOn: boolean) => store({ setting, field }, isOn)
  await Promise.all([turn('auto', true), turn('smart_cleanup', true)])
  assert.deepEqual(stored, { auto: true, smart_cleanup: true, self_correction: true })
  isRefusing = true
  await assert.rejects(turn('auto', false), /The disk is full/)
  isRefusing = false
  await turn('self_correction', false)
  assert.deepEqual(stored, { auto: true, smart_cleanup: true, self_correction: false }, 'a refusal does not stop later changes')
})

test('a declared setting is on the page, in the group of its declaration, once for each field', () => {
  const groups = Object.values(SECTIONS).flat()
  for (const group of SETTING_GROUPS) {
    const controls = [null, 'first', 'second'].map((field) => ({ field, title: 'Name', help: 'Help.' }))
    const settings = [{ key: 'some.key', page: { group, needs_restart: false, controls } } as SettingRow, { page: null } as SettingRow]
    const rows = groups.flatMap((one) => rowsOf(one, settings))
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['some.key', 'some.key.first', 'some.key.second'],
      group,
    )
  }
})
