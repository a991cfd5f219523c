// Many runs over one call. A run that may send more than the exchange carries continues on a call of its own, which its reader does not
// notice.

import type { ServiceError } from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import { RUN_CODES } from '#shared/protocol/fields/peer-codes.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EXCHANGE_LIMITS, weightOf } from '#shared/protocol/run-messages.ts'
import { agentCodecs, type RunCall, type RunReader } from '../rpc.ts'
import { type Batches, createBatches } from '../transport/batches.ts'
import { failureOfGrpc, saidFailure } from '../transport/status.ts'
import { type CallContext, callRun, passOutput } from './calls.ts'

export type Exchange = {
  readonly run: (header: Wire<'RunHeader'>, reader: RunReader) => RunCall
}
type ReceivingRun = {
  readonly call: RunCall
  readonly receive: (frame: Wire<'OutputFrame'>) => void
  /** The exchange is over. A run that has moved goes on. */
  readonly lose: (reason: Failure) => void
}
type RunDeps = {
  readonly id: number
  readonly reader: RunReader
  readonly send: Batches<Wire<'InputFrame'>>['add']
  readonly context: CallContext
  readonly onOver: () => void
}

const STEP_BYTES = 16
/** Bytes besides the parameters: ids, names and digests, each with a limit. */
const HEADER_BYTES = 1024

/** True if the exchange accepts the run. */
export const fitsExchange = ({ inputs, params_json }: Wire<'RunHeader'>): boolean =>
  inputs.length === 0 && params_json.length + HEADER_BYTES <= EXCHANGE_LIMITS.inlineBytes

/** `onOver` is called once, before the runs that it carried end. */
export function openExchange(context: CallContext, onOver: () => void): Exchange {
  const { client, clock, open } = context
  const { path, requestSerialize, responseDeserialize } = agentCodecs.exchange
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  const runs = new Map<number, ReceivingRun>()
  let last = 0
  let isOver = false
  let refusal: Failure | null = null
  const batches = createBatches<Wire<'InputFrame'>>((frames) => void (isOver || call.write({ frames })), clock)

  const finish = (reason: Failure) => {
    if (isOver) return
    isOver = true
    open.delete(abandon)
    onOver()
    for (const { lose } of [...runs.values()]) lose(reason)
  }
  const abandon = (reason: Failure) => {
    finish(reason)
    call.cancel()
  }
  // The failure of one message must not be taken for the failure of every task whose run it ends.
  const ended = () => finish(new Failure('WORKER_DISCONNECTED', 'The agent ended the exchange.', { cause: refusal }))
  open.add(abandon)
  call.on('data', ({ frames }: Wire<'ExchangeOutput'>) => {
    if (frames.length > EXCHANGE_LIMITS.frames)
      return abandon(new Failure('WORKER_DISCONNECTED', 'The agent sent too many frames at once.'))
    for (const frame of frames) runs.get(frame.run)?.receive(frame)
  })
  call.on('error', (error: ServiceError) => {
    refusal = failureOfGrpc(error, RUN_CODES)
    if (call.readableEnded) ended()
  })
  call.on('end', ended)

  return {
    run(header, reader) {
      const id = ++last
      const run = createRun({ id, reader, context, send: batches.add, onOver: () => void runs.delete(id) })
      runs.set(id, run)
      batches.add({ run: id, step: 'header', header }, header.params_json.length + HEADER_BYTES, 'urgent')
      return run.call
    },
  }
}

// Long factory: every method depends on whether the run is over, paused or moved.
function createRun({ id, reader, send, context, onOver }: RunDeps): ReceivingRun {
  let isOver = false
  let isPaused = false
  let held: Wire<'OutputFrame'>[] = []
  let heldBytes = 0
  let moved: RunCall | null = null

  const finish = (error: Failure | null) => {
    if (isOver) return
    isOver = true
    onOver()
    reader.end(error)
  }
  const step = (frame: Wire<'InputFrame'>, when: 'urgent' | 'soon') => void (isOver || send(frame, STEP_BYTES, when))
  const drop = (reason: Failure) => {
    step({ run: id, step: 'drop', drop: {} }, 'urgent')
    finish(reason)
  }
  const deliver = (frame: Wire<'OutputFrame'>) => {
    if (isOver) return
    if (frame.step === 'output') passOutput(frame.output, reader)
    if (frame.step === 'end') finish(failureOfEnd(frame.end))
  }
  const hold = (frame: Wire<'OutputFrame'>) => {
    held.push(frame)
    if (frame.step === 'output') heldBytes += weightOf(frame.output)
    if (heldBytes > 2 * EXCHANGE_LIMITS.inlineBytes) drop(new Failure('RESULT_TOO_LARGE', 'The agent sent more than the exchange carries.'))
  }
  const move = () => {
    if (moved) return
    moved = callRun(context, { step: 'resume', resume: { run: id } }, { ...reader, end: finish })
    if (isPaused) moved.pause()
  }

  return {
    receive: (frame) => (frame.step === 'move' ? move() : isPaused ? hold(frame) : deliver(frame)),
    lose: (reason) => void (moved || finish(reason)),
    call: {
      write(input) {
        if (moved) return moved.write(input)
        if (input.step === 'cancel') step({ run: id, ...input }, 'urgent')
        // No answer depends on a commit, so it shares the message of the next offer.
        if (input.step === 'commit') step({ run: id, ...input }, 'soon')
        return true
      },
      drained: async () => moved?.drained(),
      end: () => (moved ? moved.end() : step({ run: id, step: 'end', end: {} }, 'soon')),
      cancel() {
        if (isOver) return
        if (!moved) return drop(new Failure('CANCELLED', 'The call was cancelled.'))
        moved.cancel()
      },
      pause() {
        isPaused = true
        moved?.pause()
      },
      resume() {
        isPaused = false
        const frames = held
        held = []
        heldBytes = 0
        for (const frame of frames)
          if (isPaused) hold(frame)
          else deliver(frame)
        if (!isPaused) moved?.resume()
      },
    },
  }
}

function failureOfEnd({ code, message, reason }: Wire<'RunEnding'>): Failure | null {
  if (code === '') return null
  return saidFailure({ code, message, reason }, RUN_CODES)
}
