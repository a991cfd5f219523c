// The agent's end of an exchange: many runs over one call. A run that sends more than the exchange carries asks its studio for a call of its
// own and continues there, which its handler does not notice.

import type { ServerDuplexStream } from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EXCHANGE_LIMITS, weightOf } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Peer, ServedRun } from '../rpc.ts'
import { createBatches } from '../transport/batches.ts'
import { grpcStatusOf } from '../transport/status.ts'
import { OVER, type RunStream, roomOrEnd } from './run-stream.ts'

export type ServedExchange = {
  /** The studio has opened the requested call for a run. Resolves when that call is over. Throws STALE_ATTEMPT. */
  readonly resume: (run: number, stream: RunStream) => Promise<void>
}
type Deps = {
  readonly pin: string
  /** Returns the reason to refuse the run, as at the start of a call. */
  readonly admit: () => Failure | null
  /** A run is under way until the returned function is called. */
  readonly enter: () => () => void
  readonly serve: (run: ServedRun) => Promise<void>
  /** The description of an error that the studio receives. */
  readonly endOf: (error: unknown) => Wire<'RunEnding'>
  /** Aborts when the exchange must end as soon as it carries no run. */
  readonly stopped: AbortSignal
  readonly clock: Clock
  readonly onOver: () => void
}
type Run = {
  readonly receive: (frame: Wire<'InputFrame'>) => void
  /** Ends a run that has not moved: its studio no longer reads it. */
  readonly lose: () => void
  readonly resume: (stream: RunStream) => Promise<void>
}

const STEP_BYTES = 16
const TEXT_BYTES = 2000
const NO_FAILURE: Wire<'RunEnding'> = { code: '', message: '', reason: '' }
/** A run has two inputs, a cancel and a commit. */
const INPUTS_LIMIT = 16

// Long factory: the runs share the call, its batches and its end.
export function serveExchange(call: ServerDuplexStream<Wire<'ExchangeInput'>, Wire<'ExchangeOutput'>>, deps: Deps): ServedExchange {
  const { pin, admit, enter, serve, endOf, stopped, clock, onOver } = deps
  const runs = new Map<number, Run>()
  const over = new AbortController()
  const isOpen = () => !call.destroyed && !call.writableEnded
  const batches = createBatches<Wire<'OutputFrame'>>((frames) => {
    // A studio that does not read its outputs must not cause more of them.
    if (isOpen() && !call.write({ frames })) call.pause()
  }, clock)

  const finish = () => {
    if (over.signal.aborted) return
    over.abort(OVER)
    onOver()
    for (const { lose } of [...runs.values()]) lose()
  }
  const end = () => {
    batches.flush()
    if (isOpen()) call.end()
  }
  const endWhenIdle = () => {
    if (stopped.aborted && runs.size === 0) end()
  }
  const fail = (id: number, error: unknown) => {
    const { code, message, reason } = endOf(error)
    batches.add({ run: id, step: 'end', end: { code, message: message.slice(0, TEXT_BYTES), reason } }, STEP_BYTES + TEXT_BYTES, 'urgent')
  }

  function begin(id: number, frame: Extract<Wire<'InputFrame'>, { step: 'header' }>): void {
    const refusal = admit()
    if (refusal) return fail(id, refusal)
    if (runs.has(id)) return fail(id, new Failure('BAD_REQUEST', 'The number of the run is in use.'))
    if (!frame.header.attempt_id) return fail(id, new Failure('BAD_REQUEST', 'A header must contain its attempt id.'))
    if (runs.size >= EXCHANGE_LIMITS.runs) return fail(id, new Failure('WORKER_AT_CAPACITY', 'Too many runs are open on this link.'))
    const leave = enter()
    const { run, served } = createRun(id, frame)
    runs.set(id, run)
    serve(served).then(served.end, served.refuse).finally(leave)
  }

  // Long factory: every method depends on where the outputs go.
  function createRun(id: number, { header }: Extract<Wire<'InputFrame'>, { step: 'header' }>) {
    const abort = new AbortController()
    const { signal } = abort
    const peer: Peer = { pin, signal }
    const inbox = createInbox()
    let bytesLeft = EXCHANGE_LIMITS.inlineBytes
    let waiting: Wire<'RunOutput'>[] | null = null // from the request to move until the call arrives
    let isEndWaiting = false
    let moved: RunStream | null = null
    const movedOrOver = Promise.withResolvers<void>()

    const close = () => {
      if (signal.aborted) return
      abort.abort(OVER)
      inbox.end()
      movedOrOver.resolve()
      runs.delete(id)
      endWhenIdle()
    }
    const refuse = (error: unknown) => {
      if (signal.aborted) return
      if (moved) return moved.fail(error)
      fail(id, error)
      close()
    }

    const served: ServedRun & { readonly refuse: (error: unknown) => void } = {
      peer,
      header,
      inputs: inbox.inputs,
      signal,
      write(output) {
        if (signal.aborted) return true
        if (moved) return moved.write(output)
        if (waiting) {
          waiting.push(output)
          return false
        }
        const bytes = weightOf(output)
        bytesLeft -= bytes
        if (bytesLeft >= 0) {
          batches.add({ run: id, step: 'output', output }, bytes, 'urgent')
          return !call.writableNeedDrain
        }
        waiting = [output]
        batches.add({ run: id, step: 'move', move: {} }, STEP_BYTES, 'urgent')
        return false
      },
      async drained() {
        if (waiting) await movedOrOver.promise
        if (moved) return moved.drained()
        if (!signal.aborted && isOpen() && call.writableNeedDrain) await roomOrEnd(call, signal)
      },
      end() {
        if (signal.aborted) return
        if (moved) return moved.end()
        if (waiting) {
          isEndWaiting = true
          return
        }
        batches.add({ run: id, step: 'end', end: NO_FAILURE }, STEP_BYTES, 'soon')
        close()
      },
      fail: (code, message) => refuse(new Failure(code, message)),
      refuse,
    }

    const run: Run = {
      receive(frame) {
        if (frame.step === 'drop') return close()
        if (frame.step === 'end') return inbox.end()
        if (frame.step !== 'cancel' && frame.step !== 'commit') return
        if (!inbox.push(frame)) refuse(new Failure('BAD_REQUEST', 'The run received too many inputs.'))
      },
      lose: () => void (moved || close()),
      async resume(stream) {
        if (!waiting) throw new Failure('BAD_REQUEST', 'This run was not asked to move.')
        if (stream.signal.aborted) return close()
        moved = stream
        stream.signal.addEventListener('abort', close, { once: true })
        for (const output of waiting) stream.write(output)
        waiting = null
        movedOrOver.resolve()
        if (isEndWaiting) stream.end()
        for await (const input of stream.inputs)
          if (!inbox.push(input)) throw new Failure('BAD_REQUEST', 'The run received too many inputs.')
        inbox.end()
        if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      },
    }
    return { run, served }
  }

  call.on('data', ({ frames }: Wire<'ExchangeInput'>) => {
    if (frames.length > EXCHANGE_LIMITS.frames)
      return void call.emit('error', grpcStatusOf(new Failure('BAD_REQUEST', 'A message has too many frames.')))
    for (const frame of frames) {
      if (frame.step === 'header') begin(frame.run, frame)
      else runs.get(frame.run)?.receive(frame)
    }
  })
  call.on('drain', () => call.resume())
  call.on('end', end)
  call.once('cancelled', finish).once('close', finish).once('finish', finish).once('error', finish)
  stopped.addEventListener('abort', endWhenIdle, { once: true })
  endWhenIdle()

  return {
    async resume(id, stream) {
      const run = runs.get(id)
      if (!run) throw new Failure('STALE_ATTEMPT', 'This run is over.')
      await run.resume(stream)
    },
  }
}

/** The inputs of a run between their arrival and its handler. */
function createInbox() {
  const queue: Wire<'RunInput'>[] = []
  let isEnded = false
  let wake = () => {}
  async function* inputs(): AsyncGenerator<Wire<'RunInput'>> {
    while (true) {
      const next = queue.shift()
      if (next) yield next
      else if (isEnded) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    inputs: { [Symbol.asyncIterator]: inputs },
    /** False when the handler is too far behind. */
    push(input: Wire<'RunInput'>): boolean {
      if (isEnded || queue.length >= INPUTS_LIMIT) return isEnded
      queue.push(input)
      wake()
      return true
    },
    end(): void {
      isEnded = true
      wake()
    },
  }
}
