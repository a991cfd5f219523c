import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speechEvents } from '#control-plane/features/speech/speech/stream/speech-events.ts'
import { Failure } from '#shared/protocol/failure.ts'

test('a failure in the middle of the speech is the last event', async () => {
  async function* audio() {
    yield Buffer.from('sound')
    throw new Failure('WORKER_FAILED', 'The engine stopped.')
  }
  const frames: string[] = []
  for await (const frame of speechEvents(audio(), ({ code, message }) => ({ code, message }))) frames.push(frame)
  assert.deepEqual(frames, [
    'data: {"type":"speech.audio.delta","audio":"c291bmQ="}\n\n',
    'data: {"error":{"code":"WORKER_FAILED","message":"The engine stopped."}}\n\n',
  ])
})
