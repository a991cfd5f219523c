import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECTIONS, store } from '#control-plane/web/pages/settings/sections.ts'

test('two switches of one setting that are turned at once are both stored', async () => {
  let stored: Record<string, boolean> = { auto: false, smart_cleanup: false, self_correction: true }
  let isRefusing = false
  globalThis.fetch = async (_, init) => {
    if (init?.method !== 'PUT') return Response.json({ value: stored })
    if (isRefusing) return Response.json({ detail: 'The disk is full.' }, { status: 507 })
    stored = JSON.parse(String(init.body)).value
    return Response.json({ value: stored })
  }
  const rows = SECTIONS.dictation.flatMap(({ rows = [] }) => rows)
  const turn = (field: string, isOn: boolean) => store(rows.find((row) => row.field === field)!, isOn)
  await Promise.all([turn('auto', true), turn('smart_cleanup', true)])
  assert.deepEqual(stored, { auto: true, smart_cleanup: true, self_correction: true })
  isRefusing = true
  await assert.rejects(turn('auto', false), /The disk is full/)
  isRefusing = false
  await turn('self_correction', false)
  assert.deepEqual(stored, { auto: true, smart_cleanup: true, self_correction: false }, 'a refusal does not stop later changes')
})
