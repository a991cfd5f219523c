// Descriptions read the configuration of a voice on the loop of the agent.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { peekPiperConfig } from '#agent/engine/tts/piper/config.ts'
import { piperConfig } from '#test/support/models/piper-model.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('descriptions read a configuration once, and again when it has changed', (t) => {
  const path = join(temporaryFolder(t), 'x.onnx.json')
  assert.equal(peekPiperConfig(path), null)
  writeFileSync(path, piperConfig())
  const first = peekPiperConfig(path)
  assert.ok(first)
  assert.equal(peekPiperConfig(path), first, 'the same object')
  writeFileSync(path, `${piperConfig()} `)
  assert.notEqual(peekPiperConfig(path), first)
  assert.deepEqual(peekPiperConfig(path), first)
  writeFileSync(path, 'no JSON')
  assert.equal(peekPiperConfig(path), null)
  rmSync(path)
  assert.equal(peekPiperConfig(path), null)
})
