import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import type { Capability, Engine } from '#agent/engine/seam/engine.ts'
import { realOrSubstitute } from '#agent/engine/seam/real-or-substitute.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { backboneFiles, tinyModel } from '../tts/omnivoice/tiny.ts'

function played(name: string, calls: string[], fails = false): Engine {
  return {
    describe: () => [{ implementation: name } as Capability],
    load: async () => {
      calls.push(`${name} loads`)
      if (fails) throw new Error('half a file')
    },
    async *run(operation) {
      calls.push(`${name} does ${operation}`)
      yield { kind: 'result', result: { by: name } }
    },
    unload: async () => void calls.push(`${name} unloads`),
  }
}
const answers = async (engine: Engine) => {
  for await (const event of engine.run('tts', {}, new AbortController().signal, new Map())) return event
  return undefined
}

test('the substitute answers until the files are downloaded, then the real engine', async () => {
  const calls: string[] = []
  let isDownloaded = false
  const engine = realOrSubstitute({ ...played('real', calls), isDownloaded: () => isDownloaded }, played('stand-in', calls))
  assert.equal(engine.describe()[0]!.implementation, 'stand-in')
  await engine.load()
  assert.deepEqual(await answers(engine), { kind: 'result', result: { by: 'stand-in' } })
  isDownloaded = true
  assert.equal(engine.describe()[0]!.implementation, 'real')
  assert.deepEqual(await answers(engine), { kind: 'result', result: { by: 'real' } })
  await engine.unload()
  assert.deepEqual(calls.slice(-4), ['real loads', 'real does tts', 'real unloads', 'stand-in unloads'])
})

test('a real engine that fails to load is a failure', async () => {
  const calls: string[] = []
  const engine = realOrSubstitute({ ...played('real', calls, true), isDownloaded: () => true }, played('stand-in', calls))
  await assert.rejects(answers(engine), /half a file/)
  assert.deepEqual(calls, ['real loads'])
})

test('svc-engine is OmniVoice when its files are downloaded, else an embedded voice', (t) => {
  const row = catalog(false).find(({ id }) => id === 'svc-engine')!
  const { filesOf } = tinyModel(t, backboneFiles('none'))
  const describe = (files: typeof filesOf) => row.create({ clock: systemClock, path: '', filesOf: files }).describe()
  assert.deepEqual(
    describe(filesOf).map(({ implementation, standsIn }) => [implementation, standsIn]),
    [['omnivoice', null]],
  )
  const [standIn] = describe(() => null)
  assert.equal(standIn?.implementation, 'hibari')
  assert.ok(standIn?.standsIn)
})
