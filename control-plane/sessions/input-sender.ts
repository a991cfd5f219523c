// Sends the inputs of a task to the machine that runs it: when the agent asks for them, from the offset it names, and no faster than it
// reads.

import type { TaskInput } from '#control-plane/tasks/record.ts'
import type { RunCall } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { INPUT_LIMITS, InputWantMessage } from '#shared/protocol/run-messages.ts'

/** The bytes kept under a digest, from an offset on. */
export type ReadInput = (digest: string, from: number) => AsyncIterable<Buffer>
type Sending = {
  readonly want: Wire<'InputWant'>
  readonly call: Pick<RunCall, 'write' | 'drained'>
  readonly read: ReadInput
  readonly mayContinue: () => boolean
}

/** Resolves with the reason why not everything was sent, or with null, also when the rest is no longer needed. */
export async function sendInputs(inputs: readonly TaskInput[], { want, call, read, mayContinue }: Sending): Promise<Failure | null> {
  try {
    const { name, offset } = parseMessage(InputWantMessage, want)
    const first = inputs.findIndex((input) => input.name === name)
    if (first < 0 || offset > inputs[first]!.size)
      throw new Failure('INPUT_FETCH_FAILED', 'The agent asked for an input that this task does not have.')
    for (const [index, input] of inputs.slice(first).entries()) {
      let at = index === 0 ? offset : 0
      if (at === input.size) continue
      for await (const bytes of read(input.sha256, at)) {
        for (let from = 0; from < bytes.length; from += INPUT_LIMITS.chunkBytes) {
          if (!mayContinue()) return null
          const payload = bytes.subarray(from, from + INPUT_LIMITS.chunkBytes)
          if (!call.write({ step: 'input', input: { name: input.name, offset: at, payload } })) await call.drained()
          at += payload.length
        }
      }
      if (at !== input.size) throw new Failure('INPUT_UNAVAILABLE', `The input ${input.name} is not the file that was stored.`)
    }
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    return new Failure('INPUT_UNAVAILABLE', 'An input of the task is missing on the disk of the studio.', { cause: error })
  }
}
