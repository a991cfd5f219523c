// Measures whether the first clause of a sentence may be spoken before the rest, so that streamed speech begins earlier: how much the sound
// differs from the sentence spoken as one, for each voice of the embedded engine, and how much earlier it would begin.
import { compileFlite, FLITE_SAMPLE_RATE, findFliteVoice, fliteVoices, speakWithFlite } from '#agent/engine/tts/flite/synthesis.ts'
import { AUDIBLE, differences, jointOf } from './support/clause/compare.ts'
import { median, title } from './support/rounds.ts'

const SENTENCES = [
  'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes.',
  'Our server sends every piece of audio to a machine in another room, where a fast card does the work.',
  'While the second sentence is being made, the first one can already be heard.',
  'When all of it has arrived, nothing is missing and nothing was made twice.',
  'If the weather is good tomorrow morning, we will walk along the river to the old mill.',
  'The old man opened the door slowly, but no one was waiting on the other side.',
  'After a long and difficult winter, the farmers were happy to see the first green leaves.',
  'She had read the letter three times already, yet she could not believe what it said.',
]

export async function run(): Promise<void> {
  const module = await compileFlite()
  title('The first clause spoken before the rest: differences to the whole sentence, medians (largest), and the share that is audible')
  for (const { id } of fliteVoices()) {
    const voice = findFliteVoice(id)!
    const earlier: number[] = []
    const found = SENTENCES.flatMap((sentence) => {
      const cut = sentence.indexOf(',') + 1
      const timed = (text: string) => {
        const from = performance.now()
        const samples = speakWithFlite(module, voice, text, 1)
        return { samples, ms: performance.now() - from }
      }
      const whole = timed(sentence)
      const [first, rest] = [timed(sentence.slice(0, cut)), timed(sentence.slice(cut).trim())]
      earlier.push(first.ms / whole.ms)
      const joined = Float32Array.from([...first.samples, ...rest.samples])
      const at = first.samples.length / FLITE_SAMPLE_RATE
      const one = jointOf({ samples: whole.samples, rate: FLITE_SAMPLE_RATE }, (at * whole.samples.length) / joined.length)
      const other = jointOf({ samples: joined, rate: FLITE_SAMPLE_RATE }, at)
      return one && other ? [differences(one, other)] : []
    })
    const figures = (Object.keys(AUDIBLE) as (keyof typeof AUDIBLE)[]).map((name) => {
      const values = found.map((each) => each[name])
      const audible = values.filter((value) => value > AUDIBLE[name]).length
      return `${name} ${median(values).toFixed(1)} (${Math.max(...values).toFixed(1)}; ${audible} of ${values.length} above ${AUDIBLE[name]})`
    })
    const differs = found.filter((each) =>
      (Object.keys(AUDIBLE) as (keyof typeof AUDIBLE)[]).some((name) => each[name] > AUDIBLE[name]),
    ).length
    process.stdout.write(`${id.padEnd(6)} ${figures.join(', ')}\n`)
    process.stdout.write(
      `       audible in ${differs} of ${found.length} sentences; the first sound after ${median(earlier).toFixed(2)} of the time of the sentence\n`,
    )
  }
}
