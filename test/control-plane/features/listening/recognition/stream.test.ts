// The text of a recording while it is recognised, with the real output of tasks: as events of a request, and after a second attempt.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TranscriptionForm } from '#control-plane/features/listening/recognition/recognition.schema.ts'
import { createRecognition } from '#control-plane/features/listening/recognition/recognition.service.ts'
import { serverSent } from '#control-plane/features/listening/recognition/transcript/events.ts'
import { createInference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { createOutput, type Output } from '#control-plane/tasks/output.ts'
import type { TaskSpec } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Attempt = { readonly say: (text: string) => void; readonly again: () => void; readonly params: { language: string | null } }
/** Recognises a part: returns its text, or fails the task. */
type Work = (part: number, attempt: Attempt) => Promise<string>
type Sent = { type?: string; delta?: string; text?: string; error?: { code: string } }

function open(t: TestContext, work: Work, { parts: count = 1, streams = true } = {}) {
  const folder = temporaryFolder(t)
  const parts = Array.from({ length: count }, (_, at) => ({ path: join(folder, `part${at}`), from: at * 900, seconds: 900 }))
  for (const [at, { path }] of parts.entries()) writeFileSync(path, String(at))
  const calls: string[] = []
  const outcomes = new Map<string, Promise<object>>()
  let made = 0

  function begin(spec: TaskSpec, output: Output): string {
    const id = `t${made++}`
    const params = JSON.parse(spec.params)
    calls.push(`${id} ${params.stream ? 'streams' : 'waits'}`)
    let cursor = 0
    const say = (text: string) => {
      const bytes = Buffer.from(text)
      output.take(0, cursor, bytes)
      cursor += bytes.length
    }
    const again = () => {
      output.begin()
      cursor = 0
    }
    const ended = work(Number(spec.inputs![0]!.name), { say, again, params }).then(
      (text) => {
        output.end(null)
        const segments = text === '' ? [] : [{ start: 0, end: 1, text }]
        const result = JSON.stringify({ text, language: 'en', segments, duration: 900, notices: [] })
        return { task: { id, phase: 'succeeded', failure: null }, result: { result } }
      },
      (error: unknown) => {
        const failure = Failure.from(error)
        output.end(failure)
        return { task: { id, phase: 'failed', failure: { code: failure.code, message: failure.message } } }
      },
    )
    outcomes.set(id, ended)
    return id
  }
  const newOutput = () => {
    const output = createOutput(join(folder, `out${made}`))
    t.after(() => output.close(false))
    return output
  }
  const tasks = {
    now: () => 0,
    keepInput: async (_: string, bytes: Buffer) => ({ name: String(bytes), size: 1, sha256: '' }),
    open: async (spec: TaskSpec, _digest: string, signal: AbortSignal) => {
      const output = newOutput()
      const pieces = output.read(signal)
      return { record: { task: { id: begin(spec, output) }, spec }, pieces }
    },
    admit: async (spec: TaskSpec) => ({ task: { id: begin(spec, newOutput()) }, spec }),
    outcome: (id: string) => outcomes.get(id),
    cancel: async (id: string) => void calls.push(`cancel ${id}`),
  } as unknown as Tasks
  const intake = { split: async () => ({ parts, seconds: 900 * count, remark: null, remove: async () => {} }) } as unknown as Intake
  const offered = () => [offer({ engine: 'faster-whisper', operation: 'asr', languages: ['*'], streams })]
  const recognition = createRecognition({ inference: createInference({ tasks }), intake, offered, clock })
  const follow = async (fields: object = {}) => {
    const form = TranscriptionForm.parse({ stream: 'true', ...fields })
    const upload = { filename: 'a.wav', path: join(folder, 'a.wav'), size: 1 }
    const { events } = await recognition.transcriptionStream(form, upload, { signal: new AbortController().signal, traceparent: '' })
    return serverSent(events, ({ code }) => ({ code }))
  }
  return { calls, follow }
}
/** All events that a client receives. `onEvent` is called with each, before the next one is read. */
async function received(lines: AsyncGenerator<string>, onEvent: (event: Sent) => void = () => {}): Promise<Sent[]> {
  const events: Sent[] = []
  for await (const line of lines) {
    if (!line.startsWith('data:')) continue
    events.push(JSON.parse(line.slice(5)))
    onEvent(events.at(-1)!)
  }
  return events
}
const deltasOf = (events: readonly Sent[]) => events.flatMap(({ delta }) => delta ?? [])

test('each window reaches the client before the next one is recognised, and the deltas add up to the text', async (t) => {
  const windows = [
    ['So that', ' is it.'],
    ['Grüße', '! 你好', '。'],
  ]
  let release = () => {}
  const work: Work = async (part, { say }) => {
    for (const window of windows[part]!) {
      const { promise, resolve } = Promise.withResolvers<void>()
      release = resolve
      say(window)
      await promise // until the client has it
    }
    return windows[part]!.join('')
  }
  const { follow, calls } = open(t, work, { parts: 2 })
  const events = await received(await follow(), ({ delta }) => delta && release())
  assert.deepEqual(deltasOf(events), ['So that', ' is it.', ' Grüße', '! 你好', '。'])
  assert.deepEqual(events.at(-1), { type: 'transcript.text.done', text: deltasOf(events).join('') })
  assert.deepEqual(calls, ['t0 streams', 't1 streams'])
})

test('a recogniser that does not stream is not asked to, and sends its segments at the end of a part', async (t) => {
  const { follow, calls } = open(t, async (part) => `part ${part}`, { parts: 2, streams: false })
  assert.deepEqual(deltasOf(await received(await follow())), ['part 0', ' part 1'])
  assert.deepEqual(calls, ['t0 waits', 't1 waits'])
})

test('a second attempt with the same words continues; one with other words ends the stream and its task', async (t) => {
  for (const [second, isEqual] of [
    [['one two', ' three'], true],
    [['one too', ' three'], false],
  ] as const) {
    let heard = () => {}
    const begun = new Promise<void>((resolve) => {
      heard = resolve
    })
    const { follow, calls } = open(t, async (_part, { say, again }) => {
      say('one two')
      await begun
      again()
      for (const text of second) say(text)
      return second.join('')
    })
    const events = await received(await follow(), heard)
    if (isEqual) assert.deepEqual([deltasOf(events), events.at(-1)!.text], [['one two', ' three'], 'one two three'])
    else assert.deepEqual([deltasOf(events), events.at(-1)!.error?.code, calls.at(-1)], [['one two'], 'UPLOAD_INCOMPLETE', 'cancel t0'])
  }
})

test('a refused language is dropped before the first words, and never after them', async (t) => {
  const refuse = () => {
    throw new Failure('INVALID_TASK_PARAMS', 'refused')
  }
  const early = open(t, async (_part, { say, params }) => {
    if (params.language !== null) refuse()
    say('words')
    return 'words'
  })
  assert.deepEqual(deltasOf(await received(await early.follow({ language: 'xx' }))), ['words'])
  const { promise: read, resolve: heard } = Promise.withResolvers<void>()
  const late = open(t, async (_part, { say }) => {
    say('words')
    await read
    return refuse()
  })
  const events = await received(await late.follow({ language: 'xx' }), () => heard())
  assert.equal(events.at(-1)!.error?.code, 'INVALID_TASK_PARAMS')
  assert.equal(late.calls.filter((call) => call.endsWith('streams')).length, 1)
})

test('a reader that leaves cancels the task', async (t) => {
  const { follow, calls } = open(t, async (_part, { say }) => {
    say('one')
    return await new Promise<never>(() => {})
  })
  for await (const line of await follow()) if (line.startsWith('data:')) break
  assert.deepEqual(calls, ['t0 streams', 'cancel t0'])
})
