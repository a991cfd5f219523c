import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { defineEngine, withParams } from '#agent/engine/seam/define.ts'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import { eventsOf } from '../audio/recording.ts'

const { signal } = new AbortController()
const nothing = async () => {}
const engine = defineEngine({
  id: 'silero',
  maxBlockSeconds: 1,
  create: (word: string) => ({
    describe: () => [],
    load: nothing,
    unload: nothing,
    word,
    operations: {
      vad: withParams(z.strictObject({ level: z.number() }), async function* ({ level }, { inputs, model }): AsyncGenerator<EngineEvent> {
        yield { kind: 'result', result: { word, level, inputs: inputs.size, model } }
      }),
    },
  }),
}).create('given')

test('an operation receives parsed parameters, and inputs and model have defaults', async () => {
  assert.deepEqual(await eventsOf(engine.run('vad', { level: 1 }, signal)), [
    { kind: 'result', result: { word: 'given', level: 1, inputs: 0, model: '' } },
  ])
  assert.equal(engine.word, 'given', 'further parts of the engine are kept')
})

test('wrong parameters and every other operation fail when the run starts', async () => {
  await assert.rejects(eventsOf(engine.run('vad', { level: 'high' }, signal)), { code: 'INVALID_TASK_PARAMS' })
  for (const operation of ['tts', '', 'toString', '__proto__'])
    await assert.rejects(eventsOf(engine.run(operation, {}, signal)), { code: 'OPERATION_UNSUPPORTED' })
})

test('a definition takes its group from the table of engines', () => {
  const create = () => ({ describe: () => [], load: nothing, unload: nothing, operations: {} })
  assert.equal(defineEngine({ id: 'sherpa-onnx-lid', maxBlockSeconds: 1, create }).group, 'language-identification')
  assert.throws(() => defineEngine({ id: 'gpt-sovits', maxBlockSeconds: 1, create }), /no group for gpt-sovits/)
})
