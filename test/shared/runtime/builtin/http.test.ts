// Requests of a process with a proxy, where its Node cannot use one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProgram } from '#test/support/world/process.ts'

test('requests to other machines fail with the way out, those of this machine are sent, and both until it is undone', async (t) => {
  const program = startProgram(t, ['test/shared/runtime/builtin/old-node.ts'], {})
  assert.equal(await program.ended, 0, program.output())
})
