import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asrRows, llmRows, ttsRows } from '#control-plane/areas/engines/rows.ts'
import { openFakeStudio } from '#test/support/doubles/fake-studio.ts'
import { offer } from '#test/support/doubles/offers.ts'

const scene = {
  offers: [
    offer({ stands_in: 'Flite, a small embedded voice, speaks instead of the neural engine.' }),
    offer({ engine: 'kokoro', device: 'cuda' }),
  ],
  connected: true,
}
const answer = {
  tts: { active: 'svc-engine', env_override: true, backends: ttsRows(scene) },
  asr: { active: 'faster-whisper', env_override: false, backends: asrRows(scene) },
  llm: { active: 'off', env_override: false, backends: llmRows(scene) },
}

test('available engines come first, the others show the reason and the fix, within 80 columns', async (t) => {
  const { run } = await openFakeStudio(t, { 'GET /engines': answer })
  const { code, output, errors } = await run('engines')
  assert.deepEqual([code, errors], [0, ''])
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^ {2}SPEECH +STATE +DEVICE +NAME\n\* svc-engine +ready +cpu +Voice Studio engine\n {4}Flite, a small/)
  assert.match(output, /^ {2}kokoro +ready +cuda +Kokoro$/m)
  assert.match(output, /^ {2}voxcpm2 +missing +- +VoxCPM2\n {4}It is not installed/m)
  assert.match(output, /^\* faster-whisper +missing/m)
  assert.match(output, /^\* off +ready +network/m)
  assert.match(output, /Set by the environment: svc-engine$/m)
})

test('--json prints the response of the studio; without a studio the command fails', async (t) => {
  const { run } = await openFakeStudio(t, { 'GET /engines': answer })
  assert.deepEqual(JSON.parse((await run('engines', '--json')).output), JSON.parse(JSON.stringify(answer)))
  assert.equal((await run('engines', 'kokoro')).code, 2)
  const { studio } = await import('#test/support/world/cli.ts')
  const { code, errors } = await studio(['engines'], { env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' } })
  assert.equal(code, 1)
  assert.match(errors, /No studio is running/)
})
