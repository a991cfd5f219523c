// The memory of the studio during an hour of dictated audio. Takes six minutes.
import { memory } from './dictation.ts'
import { title } from './support/rounds.ts'

export async function run(): Promise<void> {
  title('An hour of dictation')
  await memory(60)
}
