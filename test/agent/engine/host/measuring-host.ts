// A host with planted measurements: the text of the first segment is the measurement as JSON.
import type { FromHost, ToHost } from '#agent/engine/host/messages.ts'

const send = (message: FromHost) => process.send!(message)
process.on('message', (message: ToHost) => {
  if (message.type === 'unload') process.exit(0)
  if (message.type !== 'run') return
  const { key, engine, model } = message
  const { segments } = message.params as { segments: { text: string }[] }
  send({ type: 'measured', engine, model, measured: JSON.parse(segments[0]!.text) })
  send({ type: 'event', key, event: { kind: 'running' } })
  send({ type: 'event', key, event: { kind: 'result', result: { sample_rate: 1, parts: [], voice: '', notices: [] } } })
  send({ type: 'ended', key, failure: null })
})
