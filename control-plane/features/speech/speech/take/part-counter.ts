// Counts the finished parts of a task while it speaks, also across attempts.

import type { Run } from '#control-plane/inference/run.ts'
import { Failure } from '#shared/protocol/failure.ts'

type Hooks = {
  /** Called with each piece until it resolves with true: there is sound. */
  readonly begin: () => Promise<boolean>
  /** The part that is being spoken. */
  readonly speaking: (part: number) => void
  readonly isOver: () => boolean
}

/** `finished`: samples of each finished part. A part is finished when the next one begins. */
export function countParts(run: Run<'tts'>, { begin, speaking, isOver }: Hooks) {
  const finished: { readonly samples: number }[] = []
  let hasBegun = false

  async function count(): Promise<void> {
    let part = 0
    let bytesOfPart = 0
    for await (const piece of run.output()) {
      if (isOver()) return
      if (!hasBegun) hasBegun = await begin()
      for (; part < piece.part; part++) {
        if (part >= finished.length) finished.push({ samples: bytesOfPart / 2 })
        bytesOfPart = 0
      }
      bytesOfPart += piece.bytes.length
      speaking(part)
    }
  }

  async function follow(): Promise<void> {
    for (;;) {
      try {
        return await count()
      } catch (error) {
        // Another attempt produced other audio: what was finished is generated again. Every other failure is that of the task.
        if (Failure.from(error).code !== 'UPLOAD_INCOMPLETE') return
        finished.length = 0
      }
    }
  }
  void follow()
  return finished
}
