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
  for await (const frame of speechEvents(
    audio(),
    () => [],
    ({ code, message }) => ({ code, message }),
  ))
    frames.push(frame)
  assert.deepEqual(frames, [
    'data: {"type":"speech.audio.delta","audio":"c291bmQ="}\n\n',
    'data: {"error":{"code":"WORKER_FAILED","message":"The engine stopped."}}\n\n',
  ])
})

test('a mark comes before the sound that follows it, and the last ones before the end', async () => {
  let due = [{ name: 'one', seconds: 0 }]
  const marks = () => due.splice(0)
  async function* audio() {
    yield Buffer.from('a')
    due = [{ name: 'two', seconds: 1.5 }]
    yield Buffer.from('b')
    due = [{ name: 'end', seconds: 2 }]
  }
  const types: string[] = []
  for await (const frame of speechEvents(audio(), marks, () => ({}))) {
    const { type, name = '', time = '' } = JSON.parse(frame.slice('data: '.length))
    types.push(`${type} ${name} ${time}`.trim())
  }
  assert.deepEqual(types, [
    ...['speech.audio.mark one 0', 'speech.audio.delta', 'speech.audio.mark two 1.5', 'speech.audio.delta'],
    ...['speech.audio.mark end 2', 'speech.audio.done'],
  ])
})
