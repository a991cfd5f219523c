// The rows of what works now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreflightReply, SetupState } from '#control-plane/web/lib/api-types.ts'
import { rowsOf } from '#control-plane/web/pages/setup/state.ts'

const nothing = { engines: null, status: null, tools: null, preflight: null }
const status = (missing: readonly string[]) =>
  ({ models_ready: missing.length === 0, missing: missing.map((label) => ({ label })) }) as unknown as SetupState

test('the default voice has a row only when its models are missing: the row of speech says what speaks', () => {
  assert.deepEqual(rowsOf({ ...nothing, status: status([]) }), [])
  const rows = rowsOf({ ...nothing, status: status(['Kokoro', 'Whisper']) })
  assert.deepEqual(
    rows.map(({ tone, detail }) => [tone, detail]),
    [['warn', 'It needs Kokoro, Whisper.']],
  )
})

test('the memory of this machine has the unit of all sizes on the pages', () => {
  const device = { os: 'linux', arch: 'x64', gpu_device_name: null, gpu_available: false, vram_gb: null, ram_gb: 23.5, disk_free_gb: null }
  const [row] = rowsOf({ ...nothing, preflight: { device } as unknown as PreflightReply })
  assert.equal(row!.detail, 'Linux x64, 25 GB of memory')
})
