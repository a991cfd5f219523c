// A client that takes all it can get, beside the requests of a random history.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { neighbourAt } from '../clients/neighbour.ts'
import { HARMLESS_UNIT, HOSTILE_UNITS, longestText, STUDIO_ENTRANCES } from '../texts/studio-entrances.ts'
import type { World } from '../world/world.ts'
import { KEY } from './world.ts'

const ADDRESS = '127.0.9.1'
const REQUESTS = 60
const SOCKETS = 24
const SLOW_BODIES = 12

/** The longest wait for the first answer. */
const FIRST_ANSWER_MS = 60_000

/** Long requests, silent sockets and slow bodies for this time, and until one was answered; then all of them leave at once. Returns '' if the studio took none. */
export async function noisyClient(world: World, ms: number): Promise<string> {
  const endings: (() => unknown)[] = []
  const noisy = neighbourAt({ after: (run) => endings.push(run) }, world, ADDRESS)
  const { hostname: host, port } = new URL(world.url)
  const count = { taken: 0, refused: 0 }
  const taken = Promise.withResolvers<void>()
  const answered = (status: number) => {
    if (status === 429) return void count.refused++
    count.taken++
    taken.resolve()
  }
  const text = HARMLESS_UNIT.repeat(60)
  const requests = Array.from({ length: REQUESTS }, (_, at) =>
    noisy
      .post('/v1/audio/speech', { input: text, model: 'tone', response_format: at % 2 === 0 ? 'mp3' : 'pcm' })
      .then(({ status }) => answered(status)),
  )
  const sockets = Array.from({ length: SOCKETS }, () => noisy.socket('/ws/tts').then(({ refused }) => answered(refused ? 429 : 101)))
  const bodies = Array.from({ length: SLOW_BODIES }, async () => {
    const socket = connect({ host, port: Number(port), localAddress: ADDRESS }).on('error', () => {})
    endings.push(() => socket.destroy())
    // A socket that is destroyed before it is connected has no other event.
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    await Promise.race([once(socket, 'connect'), closed])
    socket.write(
      `POST /projects HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n{"name": "`,
    )
  })
  const all = Promise.allSettled([...requests, ...sockets, ...bodies])
  // A busy machine answers later.
  await Promise.race([all, Promise.all([Promise.race([taken.promise, clock.sleep(FIRST_ANSWER_MS)]), clock.sleep(ms)])])
  for (const end of endings) await end()
  await all
  return count.taken > 0 ? `a noisy client had ${count.taken} requests answered and ${count.refused} refused` : ''
}

/**
 * Guesses of the API key under a foreign name, for this time, from several addresses; then the right key from another one. Returns '' if the studio
 * was away. Throws if a guess was taken.
 */
export async function wrongKeys(world: World, ms: number): Promise<string> {
  const endings: (() => unknown)[] = []
  const over = clock.mono() + ms
  const count = { refused: 0, delayed: 0 }
  const keyed = (address: string, key: string) =>
    neighbourAt({ after: (run) => endings.push(run) }, world, address, { host: 'studio.example', authorization: `Bearer ${key}` })
  async function guess(at: number): Promise<void> {
    const client = keyed(`127.0.9.${10 + at}`, `${KEY.slice(0, -3)}${100 + at}`)
    while (clock.mono() < over) {
      const { status, body } = await client.send('GET', '/v1/models')
      assert.ok([401, 403, 429, 503].includes(status), `a wrong key was answered with ${status}: ${body.toString('utf8', 0, 200)}`)
      if (status === 429) count.delayed++
      else count.refused++
    }
  }
  const guessing = Promise.allSettled(Array.from({ length: 8 }, (_, at) => guess(at)))
  await Promise.race([guessing, clock.sleep(ms)])
  const right = await keyed('127.0.9.9', KEY)
    .send('GET', '/v1/models')
    .catch(() => null)
  for (const end of endings) await end()
  for (const one of await guessing) if (one.status === 'rejected' && one.reason instanceof assert.AssertionError) throw one.reason
  if (right === null || right.status >= 500 || count.refused === 0) return ''
  assert.equal(right.status, 200, right.body.toString('utf8', 0, 300))
  return `${count.refused} wrong keys were refused and ${count.delayed} delayed, and the right one was taken`
}

/** A text at the limit of its entrance that makes careless code slow. Returns '' without an answer. `pick`: a number from 0 to 1. */
export async function longText(world: World, pick: () => number): Promise<string> {
  const endings: (() => unknown)[] = []
  const client = neighbourAt({ after: (run) => endings.push(run) }, world, ADDRESS)
  const choose = <T>(list: readonly T[]): T => list[Math.floor(pick() * list.length)]!
  const entrance = choose(STUDIO_ENTRANCES.filter(({ isLong }) => isLong !== true))
  const [name, unit] = choose(Object.entries(HOSTILE_UNITS))
  const { type, bytes } = entrance.body(longestText(entrance, unit))
  const answer = await client.send(entrance.method, entrance.path, bytes, { 'content-type': type }).catch(() => null)
  for (const end of endings) await end()
  return answer ? `${entrance.path} answered ${answer.status} to ${bytes.length} bytes of ${name}` : ''
}
