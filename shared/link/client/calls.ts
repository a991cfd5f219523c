// The four kinds of calls of one link. Each registers how to abandon it, so that every call ends as soon as the link is closed.

import type { Client, MethodDefinition, ServiceError } from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import { REPLY_CODES, RUN_CODES } from '#shared/protocol/fields/peer-codes.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { agentCodecs, type RunCall, type RunReader } from '../rpc.ts'
import { failureOfGrpc } from '../transport/status.ts'

export type CallContext = {
  readonly client: Client
  readonly clock: Clock
  /** Functions that abandon the open calls. */
  readonly open: Set<(reason: Failure) => void>
  /** Reason for the closed link; null while it is open. */
  readonly closedBy: () => Failure | null
}

/** Rejects with WORKER_UNREACHABLE after the timeout. */
export function callUnary<Request, Reply>(
  { client, clock, open, closedBy }: CallContext,
  { path, requestSerialize, responseDeserialize, originalName }: MethodDefinition<Request, Reply>,
  request: Request,
  timeoutMs: number,
): Promise<Reply> {
  const closed = closedBy()
  if (closed) return Promise.reject(closed)
  return new Promise<Reply>((resolve, reject) => {
    const settle = (settled: () => void) => {
      cancelTimeout()
      open.delete(abandon)
      settled()
    }
    const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, reply) =>
      settle(() => (error ? reject(failureOfGrpc(error, REPLY_CODES)) : resolve(reply as Reply))),
    )
    const abandon = (reason: Failure) => {
      settle(() => reject(reason))
      call.cancel()
    }
    const cancelTimeout = clock.after(timeoutMs, () =>
      abandon(new Failure('WORKER_UNREACHABLE', `The agent did not answer ${originalName} within ${timeoutMs} ms.`)),
    )
    open.add(abandon)
  })
}

/** `first`: a header, or the run of the exchange that continues here. */
export function callRun({ client, open, closedBy }: CallContext, first: Wire<'RunInput'>, reader: RunReader): RunCall {
  const { path, requestSerialize, responseDeserialize } = agentCodecs.run
  const closed = closedBy()
  if (closed) return refusedRun(closed, reader)
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  let over = false
  let refusal: Failure | null = null
  let hasRoom = () => {}
  const finish = (error: Failure | null) => {
    if (over) return
    over = true
    open.delete(abandon)
    hasRoom()
    reader.end(error)
  }
  const abandon = (reason: Failure) => {
    finish(reason)
    call.cancel()
  }
  open.add(abandon)
  call.on('data', (output: Wire<'RunOutput'>) => void (over || passOutput(output, reader)))
  call.on('drain', () => hasRoom())
  // The status overtakes outputs that a paused reader has not taken yet. They still count, so the end waits for them.
  call.on('error', (error: ServiceError) => {
    refusal = failureOfGrpc(error, RUN_CODES)
    if (call.readableEnded) finish(refusal)
  })
  call.on('end', () => finish(refusal))
  call.write(first)
  return {
    write: (input) => over || call.write(input),
    drained: () => (over || !call.writableNeedDrain ? Promise.resolve() : new Promise((resolve) => (hasRoom = resolve))),
    end: () => void (over || call.end()),
    cancel: () => over || abandon(new Failure('CANCELLED', 'The call was cancelled.')),
    pause: () => void call.pause(),
    resume: () => void call.resume(),
  }
}

export function passOutput({ events, wanted }: Wire<'RunOutput'>, reader: RunReader): void {
  if (events.length > 0 || !wanted) reader.output(events)
  if (wanted) reader.wanted?.(wanted)
}

function refusedRun(reason: Failure, reader: RunReader): RunCall {
  const nothing = () => {}
  queueMicrotask(() => reader.end(reason))
  return { write: () => true, drained: async () => {}, end: nothing, cancel: nothing, pause: nothing, resume: nothing }
}

/** Yields the newest message whenever the reader is ready; older ones are dropped. Between two messages no data are read for `spacingMs`. */
export async function* callLatest<Request, Reply>(
  { client, clock, open, closedBy }: CallContext,
  { path, requestSerialize, responseDeserialize }: MethodDefinition<Request, Reply>,
  request: Request,
  { signal, spacingMs }: { readonly signal: AbortSignal; readonly spacingMs: number },
): AsyncGenerator<Reply> {
  const closed = closedBy()
  if (closed) throw closed
  const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request)
  let latest: { readonly message: Reply } | null = null
  let end: { reason: Failure | null } | null = null
  let wake = () => {}
  const finish = (reason: Failure | null) => {
    end ??= { reason }
    wake()
  }
  const abandon = (reason: Failure) => {
    finish(reason)
    call.cancel()
  }
  const aborted = () => {
    finish(null)
    call.cancel()
  }
  open.add(abandon)
  signal.addEventListener('abort', aborted, { once: true })
  if (signal.aborted) aborted()
  let cancelPause = () => {}
  call.on('data', (message: Reply) => {
    latest = { message }
    wake()
    if (spacingMs <= 0) return
    call.pause()
    cancelPause = clock.after(spacingMs, () => void call.resume())
  })
  call.on('error', (error: ServiceError) => finish(failureOfGrpc(error, REPLY_CODES)))
  call.on('end', () => finish(null))
  try {
    while (true) {
      const next = latest as { readonly message: Reply } | null
      const ended = end as { reason: Failure | null } | null
      latest = null
      if (next && !ended) yield next.message
      else if (ended?.reason) throw ended.reason
      else if (ended) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    cancelPause()
    open.delete(abandon)
    signal.removeEventListener('abort', aborted)
    call.cancel()
  }
}

/** Yields every message in order; a slow reader slows the agent down. */
export async function* callStream<Request, Reply>(
  { client, open, closedBy }: CallContext,
  { path, requestSerialize, responseDeserialize }: MethodDefinition<Request, Reply>,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<Reply> {
  const closed = closedBy()
  if (closed) throw closed
  const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request)
  let reason: Failure | null = null
  const abandon = (why: Failure) => {
    reason ??= why
    call.cancel()
  }
  const aborted = () => call.cancel()
  open.add(abandon)
  signal.addEventListener('abort', aborted, { once: true })
  if (signal.aborted) aborted()
  try {
    for await (const message of call) yield message as Reply
  } catch (error) {
    if (reason) throw reason
    if (!signal.aborted) throw failureOfGrpc(error as ServiceError, REPLY_CODES)
  } finally {
    open.delete(abandon)
    signal.removeEventListener('abort', aborted)
    call.cancel()
  }
}
