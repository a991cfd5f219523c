// One trace from the request to the step of the engine, across two machines.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSpans, type SpanLine } from '#test/support/world/spans.ts'
import { eventually, sharedWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true })
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = `00-${TRACE}-b7ad6b7169203331-01`
const SENTENCE = 'The quick brown fox sleeps.'
const speak = (world: World, headers: Record<string, string> = {}) =>
  world.send('POST', '/v1/audio/speech', { input: `${SENTENCE} The lazy dog jumps.`, response_format: 'wav' }, headers)

/** All spans of the trace, once the root span has ended. */
const spansOf = (files: readonly string[], traceId: string, root: string): Promise<SpanLine[]> =>
  eventually(() => {
    const spans = files.flatMap(readSpans).filter((span) => span.traceId === traceId)
    return spans.some(({ name }) => name === root) && spans.some(({ name }) => name === 'work') && spans
  })

/** Each span with the names of its ancestors, from the root down. */
function paths(spans: readonly SpanLine[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const pathOf = (span: SpanLine): string => {
    const parent = byId.get(span.parent)
    return parent ? `${pathOf(parent)} > ${span.name}` : span.name
  }
  return spans.map(pathOf)
}

test('traces', async (t) => {
  const folder = temporaryFolder(t)
  const files = { studio: join(folder, 'studio.jsonl'), machine: join(folder, 'machine.jsonl') }
  const world = await open()
  const machine = await world.machine('attic', { STUDIO_TRACE_FILE: files.machine })
  await world.approve(machine)

  await t.test('without an exporter the trace context is returned unchanged and is still passed to the machines', async () => {
    await world.post('/workers/target', { target: machine.workerId })
    const { headers } = await speak(world, { traceparent: CALLER })
    assert.equal(headers.get('traceparent'), CALLER)
    const [work] = await eventually(() => {
      const spans = readSpans(files.machine).filter(({ name }) => name === 'work')
      return spans.length > 0 && spans
    })
    assert.equal(work!.traceId, TRACE)
    assert.equal(work!.parent, 'b7ad6b7169203331')
    assert.equal((await speak(world)).headers.get('traceparent'), null)
  })

  await world.restart('SIGTERM', { STUDIO_TRACE_FILE: files.studio })
  await world.studio.says(new RegExp(`"workerId":"${machine.workerId}".*a machine is connected`))

  await t.test('a borrowed machine continues the trace of the studio, and a request without one starts its own', async () => {
    await world.post('/workers/target', { target: machine.workerId })
    const { status, headers } = await speak(world)
    assert.equal(status, 200)
    const [, traceId] = headers.get('traceparent')!.split('-')
    assert.notEqual(traceId, TRACE)
    const spans = await spansOf([files.studio, files.machine], traceId!, 'speech.speak')
    assert.ok(paths(spans).includes('speech.speak > task > attempt > work > run > step'))
    const work = spans.find(({ name }) => name === 'work')!
    assert.equal(work.service, 'voice-studio-agent')
    const attempt = spans.find(({ name }) => name === 'attempt')!
    assert.equal(attempt.attributes['studio.worker.id'], machine.workerId)
    assert.equal(spans.find(({ name }) => name === 'speech.speak')!.parent, '')
  })

  await t.test('a request on this machine is one trace through studio, agent and engine', async () => {
    await world.post('/workers/target', { target: 'local' })
    const { status, headers } = await speak(world, { traceparent: CALLER })
    assert.equal(status, 200)
    const spans = await spansOf([files.studio], TRACE, 'speech.speak')
    const recorded = paths(spans)
    const request = spans.find(({ name }) => name === 'speech.speak')!
    assert.equal(request.parent, 'b7ad6b7169203331', 'the caller is the parent')
    assert.equal(headers.get('traceparent'), `00-${TRACE}-${request.spanId}-01`)
    for (const path of [
      'speech.speak > task',
      'speech.speak > task > attempt',
      'speech.speak > task > attempt > work',
      'speech.speak > task > attempt > work > load',
      'speech.speak > task > attempt > work > run',
      'speech.speak > task > attempt > work > run > step',
    ])
      assert.ok(recorded.includes(path), `${path}\nis not in\n${recorded.join('\n')}`)
    assert.ok(recorded.filter((path) => path.endsWith('step')).length >= 2, 'a step for each sentence')
    assert.deepEqual([...new Set(spans.map(({ service }) => service))].sort(), ['voice-studio-local-agent', 'voice-studio-studio'])
    assert.deepEqual(
      spans.flatMap(({ failure }) => failure ?? []),
      [],
    )
    assert.equal(JSON.stringify(spans).includes('fox'), false, 'a trace contains no text')
  })
})
