// The event loop of the control plane: its longest block while it generates, encodes and answers 20 requests at the same time, and how late it is while 64
// tasks without work are in flight beside 4 speech requests.
import { closeClient, post, startStudio } from './support/peers.ts'
import { flood, median, title } from './support/rounds.ts'

const TEXT = 'While many people ask at once, the studio has to answer each of them without a pause. '.repeat(8)
const TASK = JSON.stringify({ engine: 'probe', operation: 'probe', params: { echo: 'x'.repeat(1024) }, deadline_seconds: 60 })
/** Resolution of the monitor in `inside.ts`, whose samples contain it. */
const RESOLUTION_MS = 5
const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']

export async function run(): Promise<void> {
  const studio = await startStudio()
  const port = studio.port
  const speak = async (format: string) => {
    const { status, body } = await post(port, '/v1/audio/speech', JSON.stringify({ input: TEXT, response_format: format }))
    if (status !== 200) throw new Error(`${status} ${body}`)
  }
  try {
    title('Longest block of the event loop during 20 concurrent speech requests in all formats')
    await Promise.all(FORMATS.map(speak))
    const worst: number[] = []
    for (let round = 0; round < 5; round++) {
      await studio.ask({ delay: 'start' })
      await Promise.all(Array.from({ length: 20 }, (_, index) => speak(FORMATS[index % FORMATS.length]!)))
      worst.push((await studio.ask<{ maxMs: number }>({ delay: 'read' })).maxMs)
    }
    process.stdout.write(`median ${median(worst).toFixed(1)} ms, worst of 5 rounds ${Math.max(...worst).toFixed(1)} ms  at most 50\n`)
    title('Delay of the event loop with 64 tasks in flight and 4 speech requests')
    await post(port, '/workers/enabled', '{"enabled":true}')
    const late: number[] = []
    for (let round = -1; round < 5; round++) {
      let isOver = false
      const speaking = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isOver) await speak('mp3')
        }),
      )
      await studio.ask({ delay: 'start' })
      await flood(4_000, 64, async () => {
        const { status, body } = await post(port, '/workers/tasks', TASK)
        if (status !== 200) throw new Error(`${status} ${body}`)
      })
      const { p99Ms } = await studio.ask<{ p99Ms: number }>({ delay: 'read' })
      isOver = true
      await speaking
      if (round >= 0) late.push(p99Ms - RESOLUTION_MS)
    }
    process.stdout.write(
      `p99, median of 5 rounds ${median(late).toFixed(1)} ms, worst ${Math.max(...late).toFixed(1)} ms  at most 20, aim 10\n`,
    )
  } finally {
    closeClient()
    await studio.end()
  }
}
