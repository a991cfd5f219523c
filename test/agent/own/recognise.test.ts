// Recognition reads the JSON files that a stranger chose, and the agent does other work meanwhile.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readOffered } from '#agent/own/offered.ts'
import { recogniseModel } from '#agent/own/recognise.ts'
import { addition, type Contents, graphOf, PIPER_FILES } from '#test/support/models/own/own-files.ts'
import { piperGraph } from '#test/support/models/piper-model.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** JSON of about a megabyte, in which every value is wrong for every schema. */
const LARGE_JSON = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key${at}`, []])))
const readFiles = async (t: TestContext, contents: Contents) => {
  const folder = temporaryFolder(t)
  const place = join(folder, `.adding-${addition(folder, contents)}`)
  return { place, files: await readOffered(place, new AbortController().signal) }
}

test('JSON files without a fitting name are not read, and the thread does other work meanwhile', async (t) => {
  const others = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`a much longer name than a voice of Supertonic has ${at}.json`, LARGE_JSON]),
  )
  const { place, files } = await readFiles(t, { ...others, ...PIPER_FILES })
  for (const at of Object.keys(others).keys()) rmSync(join(place, String(at)))
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const found = await recogniseModel(files, { name: 'mine', engine: '' }, new AbortController().signal)
  isOver = true
  assert.equal(found.engine, 'piper')
  assert.ok(turns > 0, `${turns} turns of the loop`)
  const { files: unknown } = await readFiles(t, { 'x.onnx': graphOf(['pixels'], ['label']), ...others })
  const end = new AbortController()
  setImmediate(() => end.abort(new Error('stopped')))
  await assert.rejects(recogniseModel(unknown, { name: '', engine: '' }, end.signal), /stopped/)
})

test('a schema gets no JSON of many keys', async (t) => {
  const config = JSON.parse(String(Object.values(PIPER_FILES)[1]))
  const withKeys = (keys: number) => ({
    'x.onnx': piperGraph(),
    'x.onnx.json': JSON.stringify({ ...config, ...Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, 0])) }),
  })
  const recognised = async (contents: Contents) =>
    recogniseModel((await readFiles(t, contents)).files, { name: 'mine', engine: 'piper' }, new AbortController().signal)
  assert.equal((await recognised(withKeys(4_000))).engine, 'piper')
  await assert.rejects(recognised(withKeys(6_000)), /a valid configuration/)
})

test('a configuration of another name is found if it is the only one', async (t) => {
  const [graph, config] = Object.values(PIPER_FILES)
  const recognised = async (contents: Contents) =>
    recogniseModel((await readFiles(t, contents)).files, { name: 'mine', engine: 'piper' }, new AbortController().signal)
  const files = (found: Awaited<ReturnType<typeof recognised>>) => found.files.map((file) => 'from' in file && file.from.name)
  assert.deepEqual(files(await recognised({ 'x.onnx': graph!, 'config.json': config!, 'other.onnx.json': '{}' })), [
    'x.onnx',
    'config.json',
  ])
  await assert.rejects(
    recognised({ 'x.onnx': graph!, 'config.json': config!, 'other.onnx.json': config! }),
    /its configuration x\.onnx\.json/,
  )
})

test('the graphs of an addition share one number of fields, and a signal ends their reading', async (t) => {
  const { place } = await readFiles(t, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.onnx`, piperGraph()])))
  const whole = { fields: 1_000_000 }
  await readOffered(place, new AbortController().signal, whole)
  const used = 1_000_000 - whole.fields
  const files = await readOffered(place, new AbortController().signal, { fields: Math.floor(used / 2) })
  assert.deepEqual([files[0]?.fault, files.at(-1)?.fault], ['', 'it has too many fields'])
  const end = new AbortController()
  setImmediate(() => end.abort(new Error('stopped')))
  await assert.rejects(readOffered(place, end.signal), /stopped/)
})
