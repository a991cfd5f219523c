// What a task is given, on its way to the machine that runs it: sent when the agent asks, from where it asks, no faster than it is taken.

import type { RunCall } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import type { InputWant } from '#shared/protocol/run-messages.ts'
import { INPUT_LIMITS, InputWantMessage } from '#shared/protocol/run-messages.ts'
import type { TaskInput } from '../tasks/record.ts'

/** The bytes kept under a digest, from an offset on. */
export type ReadInput = (digest: string, from: number) => AsyncIterable<Buffer>
type Sending = {
  readonly want: InputWant
  readonly call: Pick<RunCall, 'write' | 'drained'>
  readonly read: ReadInput
  readonly mayGoOn: () => boolean
}

/** Resolves with why not everything was sent, or with null: also when nobody wants the rest any more. */
export async function sendInputs(inputs: readonly TaskInput[], { want, call, read, mayGoOn }: Sending): Promise<Failure | null> {
  try {
    const { name, offset } = parseMessage(InputWantMessage, want)
    const first = inputs.findIndex((input) => input.name === name)
    if (first < 0 || offset > inputs[first]!.size)
      throw new Failure('INPUT_FETCH_FAILED', 'the agent asked for what this task does not have')
    for (const [index, input] of inputs.slice(first).entries()) {
      let at = index === 0 ? offset : 0
      if (at === input.size) continue
      for await (const bytes of read(input.sha256, at)) {
        for (let from = 0; from < bytes.length; from += INPUT_LIMITS.chunkBytes) {
          if (!mayGoOn()) return null
          const payload = bytes.subarray(from, from + INPUT_LIMITS.chunkBytes)
          if (!call.write({ step: 'input', input: { name: input.name, offset: at, payload } })) await call.drained()
          at += payload.length
        }
      }
      if (at !== input.size) throw new Failure('INPUT_UNAVAILABLE', `the input ${input.name} is not what was kept`)
    }
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    return new Failure('INPUT_UNAVAILABLE', 'what the task works on is gone from the disk of the studio', { cause: error })
  }
}
