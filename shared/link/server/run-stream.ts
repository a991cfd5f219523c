// The agent's end of one `run` call: its inputs, its outputs and its end.

import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { ServedRun } from '../rpc.ts'

// One shared reason: a new Error per call would capture a stack trace thousands of times a second.
export const OVER = new Error('The call is over.')

export type RunStream = Pick<ServedRun, 'inputs' | 'write' | 'drained' | 'signal' | 'end'> & {
  readonly fail: (error: unknown) => void
}

type Drained = Record<'once' | 'off', (event: 'drain', listener: () => void) => unknown>

/** Waits for the first input. Null when the call ended before it arrived. */
export async function openRunStream(
  call: ServerDuplexStream<Wire<'RunInput'>, Wire<'RunOutput'>>,
  fail: (error: unknown) => void,
): Promise<{ readonly first: Wire<'RunInput'> | undefined; readonly stream: RunStream } | null> {
  const abort = new AbortController()
  let isEnded = false
  let wake = () => {}
  const over = () => {
    abort.abort(OVER)
    wake()
  }
  call.once('cancelled', over).once('close', over).once('finish', over)
  call.on('readable', () => wake())
  call.once('end', () => {
    isEnded = true
    wake()
  })
  // The iterator of the stream would destroy the call at its failure, with the outputs and the status that are not sent yet.
  const next = async (): Promise<IteratorResult<Wire<'RunInput'>, undefined>> => {
    while (true) {
      const value = call.destroyed ? null : (call.read() as Wire<'RunInput'> | null)
      if (value !== null) return { done: false, value }
      if (isEnded || abort.signal.aborted) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const first = await next()
  if (abort.signal.aborted) return null
  const open = () => !call.destroyed && !call.writableEnded
  const stream: RunStream = {
    inputs: { [Symbol.asyncIterator]: () => ({ next }) },
    write: (output) => !open() || call.write(output),
    drained: () => (open() && call.writableNeedDrain ? roomOrEnd(call, abort.signal) : Promise.resolve()),
    signal: abort.signal,
    end: () => void (open() && call.end()),
    fail,
  }
  return { first: first.done ? undefined : first.value, stream }
}

export function roomOrEnd(call: Drained, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      call.off('drain', settle)
      signal.removeEventListener('abort', settle)
      resolve()
    }
    call.once('drain', settle)
    signal.addEventListener('abort', settle, { once: true })
    if (signal.aborted) settle()
  })
}
