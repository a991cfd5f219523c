// A client of `/ws/transcribe` and the speech that it sends.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { wavHeader } from '#shared/audio/wav.ts'
import type { World } from '#test/support/world/world.ts'

export const RATE = 16_000
export type LiveMessage = {
  readonly type: string
  readonly stage?: string
  readonly text?: string
  readonly refined_text?: string
  readonly kind?: string
  readonly message?: string
  readonly detail?: { readonly error: string; readonly recommended: { readonly dictation_id: string } }
  readonly engine?: string
  readonly notice?: string
  readonly final_kind?: string
  readonly segments?: readonly { readonly start: number; readonly end: number; readonly text: string }[]
  readonly duration_s?: number
  readonly language?: string
}
export type LiveClient = Awaited<ReturnType<typeof connect>>

export async function connect(world: World, query: string) {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/transcribe?${query}`)
  const received: LiveMessage[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString()) as LiveMessage)
    for (const look of waiting) look()
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await Promise.race([once(socket, 'open'), closed])
  return {
    socket,
    received,
    closed,
    send: (data: string | Uint8Array) => new Promise<void>((resolve) => socket.send(data, () => resolve())),
    /** The first message that fits; rejects when the socket closes before it. */
    until: (fits: (message: LiveMessage) => boolean): Promise<LiveMessage> =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = received.find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void closed.then(([code]) => reject(new Error(`the socket closed with ${code} after ${JSON.stringify(received)}`)))
      }),
    /** Sends PCM in pieces of 100 ms, `speed` times as fast as it was spoken. */
    async speak(pcm: Buffer, speed: number): Promise<void> {
      const piece = RATE / 5
      for (let at = 0; at < pcm.length; at += piece) {
        await this.send(pcm.subarray(at, at + piece))
        await new Promise((resolve) => setTimeout(resolve, 100 / speed))
      }
    },
  }
}

export const silence = (seconds: number): Buffer => Buffer.alloc(seconds * RATE * 2)
export const wavOf = (pcm: Buffer): Buffer => Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: pcm.length / 2 }), pcm])

const spoken = new Map<string, Buffer>()
/** Speech of the embedded voice, as PCM of 24 kHz. Equal texts give equal bytes, so each text is spoken once. */
export async function embeddedSpeech(world: World, input: string, voice = 'default'): Promise<Buffer> {
  const key = `${voice}: ${input}`
  const earlier = spoken.get(key)
  if (earlier) return earlier
  const reply = await world.post('/v1/audio/speech', { input, voice, model: 'tts-1', response_format: 'pcm' })
  if (reply.status !== 200) throw new Error(`no speech: ${reply.status} ${reply.body}`)
  spoken.set(key, reply.body)
  return reply.body
}
