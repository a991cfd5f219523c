// The choice of the engine that cleans a recording, and the notice when a better one fails.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createCleaning } from '#control-plane/features/listening/recognition/cleaning.service.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createInference } from '#control-plane/inference/run.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'

type Deps = Parameters<typeof createCleaning>[0]
const { signal } = new AbortController()
const upload = { path: '/nowhere' } as Parameters<ReturnType<typeof createCleaning>['clean']>[0]
const offer = (engine: string, operation: string, more: Partial<Offer> = {}): Offer =>
  ({ workerId: LOCAL, engine, model: '', operation, supported: true, installed: true, downloaded: true, ...more }) as Offer

function cleaningWith(t: TestContext, offered: readonly Offer[], fails: readonly string[] = [], seconds = 1) {
  const audioFolder = mkdtempSync(join(tmpdir(), 'clean-'))
  t.after(() => rmSync(audioFolder, { recursive: true, force: true }))
  const requests: { operation: string; params: unknown }[] = []
  const engines: string[] = []
  const tasks = {
    now: () => 0,
    keepInput: async () => ({ name: 'audio' }),
    cancel: async () => {},
    async open(spec: { operation: string; params: string; engine: string }) {
      requests.push({ operation: spec.operation, params: JSON.parse(spec.params) })
      engines.push(spec.engine)
      if (fails.includes(spec.engine)) throw new Error('it broke')
      const pieces = (async function* () {
        yield { part: 0, bytes: Buffer.from([1, 0, 2, 0]) }
      })()
      return { record: { task: { id: 'one' } }, pieces }
    },
    outcome: async () => ({
      task: { phase: 'succeeded', failure: null },
      result: { result: '{"sample_rate": 24000, "parts": [{"samples": 2}], "duration": 1}' },
    }),
  } as unknown as Tasks
  const intake = { read: async () => ({ wav: Buffer.from('original'), seconds }) } as unknown as Deps['intake']
  return {
    requests,
    engines,
    cleaning: createCleaning({
      inference: createInference({ tasks }),
      intake,
      offered: () => offered,
      audioFolder,
      random: systemRandom,
      clock: systemClock,
    }),
  }
}
const BOTH = [offer('rnnoise', 'denoise'), offer('mdx-net', 'separate')]

test('an installed separation network isolates the voice, and no other engine runs', async (t) => {
  const { requests, cleaning } = cleaningWith(t, BOTH)
  const { wav, wasCleaned, notice } = await cleaning.clean(upload, signal, '')
  assert.deepEqual(requests, [{ operation: 'separate', params: { sample_rate: 24_000, vocals_only: true } }])
  assert.equal(parseWav(wav).sampleRate, 24_000)
  assert.deepEqual([wasCleaned, notice], [true, null])
})

test('without a separation model only noise is removed, and the notice says so', async (t) => {
  const { requests, cleaning } = cleaningWith(t, [BOTH[0]!, offer('mdx-net', 'separate', { downloaded: false })])
  const { notice } = await cleaning.clean(upload, signal, '')
  assert.deepEqual(requests, [{ operation: 'denoise', params: { sample_rate: 24_000 } }])
  assert.match(String(notice?.reason), /^Only noise was removed.*distorts music/)
})

test('if separation fails, noise is removed; if both fail, the original is returned; the notice reports it', async (t) => {
  const once = await cleaningWith(t, BOTH, ['mdx-net']).cleaning.clean(upload, signal, '')
  assert.equal(once.wasCleaned, true)
  assert.match(String(once.notice?.reason), /mdx-net failed.*Only noise was removed.*distorts music/)
  const twice = await cleaningWith(t, BOTH, ['mdx-net', 'rnnoise']).cleaning.clean(upload, signal, '')
  assert.equal(twice.wasCleaned, false)
  assert.match(String(twice.notice?.reason), /mdx-net failed.*rnnoise failed.*Nothing was removed/)
  assert.equal(String(twice.wav), 'original')
  const none = await cleaningWith(t, [offer('flite', 'tts')]).cleaning.clean(upload, signal, '')
  assert.match(String(none.notice?.reason), /No engine on this machine/)
})

test('HTDemucs comes before MDX-Net, and after it for recordings that would take it too long', async (t) => {
  const slow = offer('htdemucs', 'separate', { device: 'cpu' })
  const first = async (offered: readonly Offer[], seconds: number) => {
    const { engines, cleaning } = cleaningWith(t, offered, [], seconds)
    const { notice } = await cleaning.clean(upload, signal, '')
    assert.equal(notice, null)
    assert.equal(engines.length, 1)
    return engines[0]
  }
  assert.equal(await first([...BOTH, slow], 300), 'htdemucs')
  assert.equal(await first([slow, ...BOTH], 301), 'mdx-net')
  assert.equal(await first([...BOTH, { ...slow, device: 'cuda' }], 3_000), 'htdemucs')
  assert.equal(await first([BOTH[0]!, slow], 3_000), 'htdemucs', 'without another separation engine')
  assert.equal(await first([...BOTH, { ...slow, downloaded: false }], 1), 'mdx-net')
})

test('after HTDemucs fails, MDX-Net runs, then noise removal; the notice names the engine', async (t) => {
  const all = [...BOTH, offer('htdemucs', 'separate')]
  const once = cleaningWith(t, all, ['htdemucs'])
  const { wasCleaned, notice } = await once.cleaning.clean(upload, signal, '')
  assert.deepEqual(once.engines, ['htdemucs', 'mdx-net'])
  assert.match(String(notice?.reason), /^htdemucs failed: it broke\. mdx-net was used instead\.$/)
  assert.equal(wasCleaned, true)
  const twice = cleaningWith(t, all, ['htdemucs', 'mdx-net'])
  const reason = String((await twice.cleaning.clean(upload, signal, '')).notice?.reason)
  assert.deepEqual(twice.engines, ['htdemucs', 'mdx-net', 'rnnoise'])
  assert.match(reason, /htdemucs failed.*mdx-net failed.*Only noise was removed/)
})
