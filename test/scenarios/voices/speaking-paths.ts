// Every way in which a client makes a voice speak. leaving.test.ts takes each of them with voices that must not leave this machine, and
// test/architecture/voices/paths.test.ts requires a row for each route that names a voice.
import assert from 'node:assert/strict'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { connectMcp, textOf } from '#test/support/mcp/client.ts'
import { form } from '#test/support/world/http.ts'
import type { Ending } from '#test/support/world/process.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { eventually, type Reply, type World } from '#test/support/world/world.ts'
import { eventsOfTask } from '../dubbing/dub-client.ts'
import { eventOf, openBook, render } from '../longform/book-client.ts'

export type Stage = {
  readonly t: Ending
  readonly world: World
  /** The id of a dub, prepared at the first call. */
  readonly dub: () => Promise<string>
}
export type SpeakingPath = {
  readonly name: string
  /** Ids of contracts; the path of a socket; the name of an MCP tool. */
  readonly covers: readonly string[]
  /** It reads a film. */
  readonly needsFilm?: true
  /** It takes seconds, so it is walked once. */
  readonly isLong?: true
  /** Speaks `text` and resolves with everything that the client was told beside the sound. */
  readonly speak: (stage: Stage, voice: string, text: string) => Promise<string>
}

const ENGINE = 'tone'
function told(reply: Reply): string {
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  return `${reply.headers.get('x-svc-routing-reason')} ${reply.headers.get('x-svc-notice')}`
}
const spoken = (voice: string, input: string) => ({ input, voice, model: ENGINE, response_format: 'wav' })
const take = (profile_id: string, text: string) => form({ text, profile_id, engine: ENGINE, effect_preset: 'raw' })
const book = (default_voice: string, text: string) => ({ text: `# One\n\n${text}`, default_voice, engine: ENGINE, format: 'mp3' })
function doneBook(events: readonly { readonly type: string }[]): string {
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
  return JSON.stringify(events)
}

export const SPEAKING_PATHS: readonly SpeakingPath[] = [
  {
    name: 'POST /v1/audio/speech',
    covers: ['speech.speak'],
    speak: async ({ world }, voice, text) => told(await world.post('/v1/audio/speech', spoken(voice, text))),
  },
  {
    name: 'POST /v1/audio/speech with an idempotency key, twice',
    covers: ['speech.speak'],
    async speak({ world }, voice, text) {
      const ask = () => world.send('POST', '/v1/audio/speech', spoken(voice, text), { 'idempotency-key': `${voice}-${text.length}` })
      const first = await ask()
      const again = await ask()
      assert.ok(first.body.equals(again.body))
      return told(first) && told(again)
    },
  },
  {
    name: 'POST /generate',
    covers: ['speech.generate'],
    speak: async ({ world }, voice, text) => told(await world.post('/generate', take(voice, text))),
  },
  {
    name: 'POST /generate as a stream of lines',
    covers: ['speech.generate'],
    async speak({ world }, voice, text) {
      const data = take(voice, text)
      data.set('stream', 'true')
      const reply = await world.post('/generate', data)
      return `${told(reply)} ${reply.body}`
    },
  },
  {
    name: 'POST /generate as a job',
    covers: ['speech.generate'],
    async speak({ world }, voice, text) {
      const accepted = await world.send('POST', '/generate', take(voice, text), { prefer: 'respond-async' })
      assert.equal(accepted.status, 202, accepted.body.toString())
      const events = await eventsOfTask(world, accepted.json().id)
      assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
      return JSON.stringify(events)
    },
  },
  {
    name: '/ws/tts',
    covers: ['/ws/tts'],
    async speak({ world }, voice, text) {
      const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/tts`)
      const messages: string[] = []
      await new Promise<void>((resolve, reject) => {
        socket.onerror = () => reject(new Error('the socket failed'))
        socket.onopen = () => socket.send(JSON.stringify({ text, engine: ENGINE, voice }))
        socket.onmessage = ({ data }) => {
          if (typeof data !== 'string') return
          messages.push(data)
          if (['done', 'error'].includes(JSON.parse(data).type)) resolve()
        }
      })
      socket.close()
      assert.equal(JSON.parse(messages.at(-1)!).type, 'done', messages.join('\n'))
      return messages.join('\n')
    },
  },
  {
    name: 'MCP generate_speech',
    covers: ['generate_speech'],
    async speak({ t, world }, voice, text) {
      const { client } = await connectMcp(t, world)
      const input = { name: 'generate_speech', arguments: { text, engine: ENGINE, profile_id: voice } }
      const result = (await client.callTool(input)) as CallToolResult
      assert.ok(!result.isError, textOf(result))
      return JSON.stringify(result.structuredContent)
    },
  },
  {
    name: 'MCP generate_speech with the voice that the owner bound to the client',
    covers: ['mcp.writeBinding', 'generate_speech'],
    isLong: true,
    async speak({ t, world }, voice, text) {
      const bound = await world.put('/api/mcp/bindings', { client_id: 'bound', profile_id: voice, default_engine: ENGINE })
      assert.equal(bound.status, 200, bound.body.toString())
      const { client } = await connectMcp(t, world, { 'x-svc-client-id': 'bound' })
      const result = (await client.callTool({ name: 'generate_speech', arguments: { text, engine: ENGINE } })) as CallToolResult
      assert.ok(!result.isError, textOf(result))
      assert.equal((result.structuredContent as { voice: string }).voice, voice)
      return JSON.stringify(result.structuredContent)
    },
  },
  {
    name: 'POST /audiobook',
    covers: ['longform.renderAudiobook'],
    isLong: true,
    speak: async ({ world }, voice, text) => doneBook(await render(world, '/audiobook', book(voice, text))),
  },
  {
    name: 'POST /audiobook/resume',
    covers: ['longform.resumeAudiobook'],
    isLong: true,
    async speak({ world }, voice, text) {
      // The test voice takes half a second for a second of sound. A book that is finished nevertheless is told by its own events.
      const { events, leave } = await openBook(world, '/audiobook', { ...book(voice, text), num_step: 64 })
      const { job_id: id } = await eventOf(events, 'started')
      leave()
      const status = await eventually(async () => {
        const { status } = (await world.get(`/jobs/${id}`)).json()
        return ['cancelled', 'done'].includes(status) && status
      })
      await allEnded(world)
      if (status === 'done') return (await world.get(`/jobs/${id}/events`)).body.toString()
      return doneBook(await render(world, `/audiobook/resume/${id}`))
    },
  },
  {
    name: 'POST /audiobook/preview',
    covers: ['longform.previewChapter'],
    async speak({ world }, voice, text) {
      const { format: _, ...request } = book(voice, text)
      const reply = await world.post('/audiobook/preview', { ...request, chapter_index: 0 })
      return told(reply) && reply.body.toString()
    },
  },
  {
    name: 'POST /longform/render',
    covers: ['longform.renderPlan'],
    isLong: true,
    async speak({ world }, voice, text) {
      const chapters = [{ title: 'One', spans: [{ voice_id: voice, text }] }]
      return doneBook(await render(world, '/longform/render', { chapters, engine: ENGINE, format: 'mp3' }))
    },
  },
  {
    name: 'POST /dub/preview-segment',
    covers: ['dubbing.previewSegment'],
    needsFilm: true,
    speak: async ({ world, dub }, voice, text) =>
      told(await world.post(`/dub/preview-segment/${await dub()}`, { text: text.slice(0, 100), language: 'English', profile_id: voice })),
  },
  {
    name: 'POST /dub/generate',
    covers: ['dubbing.generate'],
    isLong: true,
    needsFilm: true,
    async speak({ world, dub }, voice, text) {
      const segments = [{ id: 1, start: 0.2, end: 4, text: text.slice(0, 100), profile_id: voice }]
      const asked = { segments, language: 'English', language_code: 'en', num_step: 8 }
      const reply = await world.post(`/dub/generate/${await dub()}`, asked)
      assert.equal(reply.status, 200, reply.body.toString())
      const events = await eventsOfTask(world, reply.json().task_id)
      assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
      return JSON.stringify(events)
    },
  },
]
