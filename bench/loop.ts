// The longest block of the control plane's event loop while it generates, encodes and answers 20 requests at the same time.
import { closeClient, post, startStudio } from './support/peers.ts'
import { median, title } from './support/rounds.ts'

const TEXT = 'While many people ask at once, the studio has to answer each of them without a pause. '.repeat(8)
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
  } finally {
    closeClient()
    await studio.end()
  }
}
