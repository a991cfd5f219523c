// Time to the first byte of speech, and the overhead of the complete path compared with a direct call of the engine.
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { closeClient, post, startStudio } from './support/peers.ts'
import { interleave, median, row, title } from './support/rounds.ts'

const TEXT =
  'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. ' +
  'Our server sends every piece of audio to a machine in another room, where a fast card does the work. ' +
  'While the second sentence is being made, the first one can already be heard. ' +
  'When all of it has arrived, nothing is missing and nothing was made twice.'
const ROUNDS = 9

/** The baseline: the engine in this process, loaded once. Resolves to a function that runs it and returns milliseconds. */
async function loadEngine(): Promise<() => Promise<number>> {
  const engine = flite.create()
  await engine.load()
  return async () => {
    const from = performance.now()
    let samples = 0
    for await (const event of engine.run('tts', { segments: [{ text: TEXT }] }, new AbortController().signal))
      if (event.kind === 'audio') samples += event.samples.length
    if (samples === 0) throw new Error('the engine made no sound')
    return performance.now() - from
  }
}

export async function run(): Promise<void> {
  const studio = await startStudio()
  try {
    const engine = await loadEngine()
    title('Speech of four sentences over HTTP')
    for (const format of ['pcm', 'mp3', 'wav']) {
      const shares: number[] = []
      const body = JSON.stringify({ input: TEXT, response_format: format })
      const speak = async () => {
        const from = performance.now()
        let first = 0
        const { status } = await post(studio.port, '/v1/audio/speech', body, () => {
          first = performance.now() - from
        })
        if (status !== 200) throw new Error(`${status}`)
        const total = performance.now() - from
        shares.push(first / total)
        return total
      }
      const times = await interleave(ROUNDS, { speak, engine })
      row(`${format}: total, limit: the engine alone`, times.speak, times.engine, 'ms ', 'at most 1.15')
      process.stdout.write(
        `${`${format}: first byte at`.padEnd(46)} ${(median(shares.slice(1)) * 100).toFixed(0).padStart(6)} % of the total  ${format === 'wav' ? 'WAV begins with its length, so it is sent complete' : 'below 30'}\n`,
      )
    }
  } finally {
    closeClient()
    await studio.end()
  }
}
