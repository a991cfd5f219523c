// The devices of the table of engines and those that the engines ask for are the same.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fasterWhisper, whisperX } from '#agent/engine/asr/whisper/engine.ts'
import { createPlacer } from '#agent/engine/runtimes/onnx/place.ts'
import type { Graph } from '#agent/engine/runtimes/onnx/session.ts'
import { openPipeline } from '#agent/engine/runtimes/transformers/library.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import { m2m100, opusMt } from '#agent/engine/translate/neural/engine.ts'
import { ENGINES } from '#shared/engines.ts'
import { everywhere } from '#test/agent/engine/asr/whisper/open.ts'
import { eventsOf } from '#test/agent/engine/audio/recording.ts'
import { plantedWhisper } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { plantedMarian } from '#test/agent/engine/runtimes/transformers/planted-translators.ts'

const ROOT = join(import.meta.dirname, '../../../../agent/engine')
const { signal } = new AbortController()
const ON_GPU = ENGINES.filter(({ packaging, gpu }) => packaging === 'built-in' && gpu.some((device) => device !== 'cpu'))
/** The file in which an engine asks for its devices. */
const ASKING: Readonly<Record<string, string>> = {
  'svc-engine': 'tts/omnivoice/engine.ts',
  'moss-tts-nano': 'tts/moss/graphs.ts',
  kokoro: 'tts/kokoro/engine.ts',
  whisperx: 'asr/whisper/engine.ts',
  'faster-whisper': 'asr/whisper/engine.ts',
  'opus-mt': 'translate/neural/engine.ts',
  m2m100: 'translate/neural/engine.ts',
  'mdx-net': 'separate/network/engine.ts',
  htdemucs: 'separate/network/engine.ts',
}

test('every engine that promises a device asks for it through the table, and no other engine asks for one', () => {
  assert.deepEqual(ON_GPU.map(({ id }) => id).sort(), Object.keys(ASKING).sort())
  const asking = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^(tts|asr|translate|separate|vad|denoise|diarize|identify)\//.test(path) && path.endsWith('.ts'))
    .filter((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      assert.doesNotMatch(text, /device: '(?!cpu')|'cuda|'webgpu'/, `${path} names a device beside the table`)
      return /devicesOf\(/.test(text)
    })
  assert.deepEqual(asking.sort(), [...new Set(Object.values(ASKING))].sort())
})

test('the table becomes an order of devices', () => {
  assert.deepEqual(
    [devicesOf('kokoro'), devicesOf('opus-mt'), devicesOf('svc-engine'), devicesOf('silero')],
    ['cuda,cpu', 'cuda,cpu', 'auto', 'cpu'],
  )
})

test('both networks of Whisper are opened with the devices of the table', async (t) => {
  for (const engine of [fasterWhisper, whisperX]) {
    const asked: string[] = []
    const files = plantedWhisper(t, { spoken: { Ġhello: [0, 1] } })
    const filesOf = (id: string, name: string) => (id === 'faster-whisper' && name === 'tiny' ? files : null)
    const opened: Graph = { inputs: [], outputs: [], device: 'cuda', reason: '', run: async () => ({}), close: async () => {} }
    const open = async (_file: string, { device }: { device: string }) => {
      asked.push(device)
      return opened
    }
    const parts = engine.create({ filesOf }, open, everywhere)
    assert.equal(parts.placement?.(), null)
    await parts.load('')
    assert.deepEqual([asked, parts.placement?.()], [['cuda,cpu', 'cuda,cpu'], { device: 'cuda', reason: '' }])
    await parts.unload()
  }
})

test('translators are opened with the devices of the table, and report where they run', async (t) => {
  for (const engine of [opusMt, m2m100]) {
    const asked: string[] = []
    const files = plantedMarian(t)
    const open = async (_files: ReadonlyMap<string, string>, devices: string) => {
      asked.push(devices)
      throw new Error('not opened')
    }
    const parts = engine.create({ filesOf: () => files }, open)
    await assert.rejects(eventsOf(parts.run('translate', { texts: ['hello'], source: 'en', target: 'de' }, signal, new Map())))
    assert.deepEqual([asked, parts.placement?.()], [['cuda,cpu'], null])
  }
})

test('a library that opens its graphs itself gets the first device that works and opens all of them', async (t) => {
  const files = plantedMarian(t)
  const tried: string[] = []
  const placer = (outcome: (file: string | null) => string | null) =>
    createPlacer({
      platform: 'linux',
      arch: 'x64',
      trial: async (device, file) => {
        tried.push(file === null ? device : 'graph')
        return outcome(file)
      },
    })
  const graphs = [...files.values()].filter((path) => path.endsWith('.onnx'))
  assert.deepEqual(await placer(() => null).choose('cuda,cpu', graphs), { device: 'cuda', reason: '' })
  assert.deepEqual(tried, ['cuda', ...graphs.map(() => 'graph')])
  const refused = await placer((file) => (file === null ? null : 'too large')).choose('cuda,cpu', graphs)
  assert.deepEqual(refused, { device: 'cpu', reason: 'cuda: too large' })
  assert.deepEqual(await placer(() => null).choose('cpu', graphs), { device: 'cpu', reason: '' })
  // A device that passes its trials and fails all the same.
  const opened = await openPipeline<{ dispose: () => Promise<void> }>('translation', files, 'cuda,cpu', async () => ({
    device: 'cuda',
    reason: '',
  }))
  assert.deepEqual([opened.device, /^cuda: /.test(opened.reason)], ['cpu', true])
  await opened.pipeline.dispose()
})
