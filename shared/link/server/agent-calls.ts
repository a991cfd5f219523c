// Maps the calls of one connection to AgentService: admission, cancellation, back-pressure and failures.
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServerWritableStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import type { RunInput, RunOutput } from '#shared/protocol/run-messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import { AGENT_METHODS, type AgentService, mapMethods, type Peer, type ServedRun } from '../rpc.ts'
import { grpcStatusOf } from '../transport/status.ts'

// One shared reason: a new Error per call would capture a stack trace thousands of times a second.
const OVER = new Error('The call is over.')

export type LinkCalls = {
  readonly implementation: UntypedServiceImplementation
  /** Ends the streams and resolves when no other call is running. */
  readonly idle: () => Promise<void>
}

/** `admit` runs at the start of each call and returns the reason to refuse it. */
export function serveAgent(service: AgentService, pin: string, admit: () => Failure | null, log: Log): LinkCalls {
  const stopped = new AbortController()
  let underWay = 0
  let waiting: (() => void)[] = []
  const enter = () => {
    underWay += 1
    return () => {
      underWay -= 1
      if (underWay > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    }
  }
  const report = (method: string, error: unknown) => {
    if (!(error instanceof Failure)) log.error({ method, err: error }, 'a call failed unexpectedly')
    return grpcStatusOf(error)
  }

  const unary =
    <Request, Reply>(method: string, answer: (request: Request, peer: Peer) => Promise<Reply>): handleUnaryCall<Request, Reply> =>
    (call, reply) => {
      const refusal = admit()
      if (refusal) return reply(grpcStatusOf(refusal))
      const leave = enter()
      const abort = new AbortController()
      call.on('cancelled', () => abort.abort(OVER))
      answer(call.request, { pin, signal: abort.signal })
        .then(
          (message) => reply(null, message ?? ({} as Reply)),
          (error) => reply(report(method, error)),
        )
        .finally(leave)
    }

  const streaming =
    <Request, Reply>(
      method: string,
      answer: (request: Request, peer: Peer) => AsyncIterable<Reply>,
    ): handleServerStreamingCall<Request, Reply> =>
    (call) => {
      const refusal = admit()
      if (refusal) return void call.emit('error', grpcStatusOf(refusal))
      pump(call, (signal) => answer(call.request, { pin, signal }), stopped.signal).catch((error) => {
        if (!call.destroyed) call.emit('error', report(method, error))
      })
    }

  const run = (call: ServerDuplexStream<RunInput, RunOutput>) => {
    const refusal = admit()
    if (refusal) return void call.emit('error', grpcStatusOf(refusal))
    const leave = enter()
    const fail = (error: unknown) => void (call.destroyed || call.writableEnded || call.emit('error', report('run', error)))
    openRun(call, pin, fail)
      .then(async (served) => {
        if (!served) return
        await service.run(served)
        served.end()
      })
      .catch(fail)
      .finally(leave)
  }

  const implement = (name: keyof AgentService) => {
    const { kind } = AGENT_METHODS[name]
    if (kind === 'run') return run
    if (kind === 'unary') return unary(name, service[name] as (request: unknown, peer: Peer) => Promise<unknown>)
    return streaming(name, service[name] as (request: unknown, peer: Peer) => AsyncIterable<unknown>)
  }

  return {
    idle() {
      stopped.abort(OVER)
      return underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
    },
    implementation: mapMethods(AGENT_METHODS, implement),
  }
}

/** Requests the next message only after the last one was sent, so that no queue of old messages builds up for a slow reader. */
async function pump<Request, Reply>(
  call: ServerWritableStream<Request, Reply>,
  open: (signal: AbortSignal) => AsyncIterable<Reply>,
  stopped: AbortSignal,
): Promise<void> {
  const cancelled = new AbortController()
  call.once('cancelled', () => cancelled.abort(OVER))
  const over = AbortSignal.any([cancelled.signal, stopped])
  const gone = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }))
  if (!over.aborted)
    for await (const message of open(over)) {
      if (over.aborted) break
      await Promise.race([gone, new Promise((resolve) => call.write(message, resolve))])
    }
  call.end()
}

/** Waits for the header. Null when the call ended before it arrived. */
async function openRun(
  call: ServerDuplexStream<RunInput, RunOutput>,
  pin: string,
  fail: (error: unknown) => void,
): Promise<ServedRun | null> {
  const abort = new AbortController()
  const over = () => abort.abort(OVER)
  call.once('cancelled', over).once('close', over).once('finish', over)
  // `destroyOnReturn: false` lets a service that stops reading still write.
  const inputs = call.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<RunInput>
  // Reading a destroyed call throws; for the service that is the end of the inputs.
  const next = () => inputs.next().catch(() => ({ done: true as const, value: undefined }))
  const first = await next()
  if (abort.signal.aborted) return null
  if (first.done || first.value.step !== 'header' || !first.value.header.attempt_id)
    throw new Failure('BAD_REQUEST', 'A run must begin with a header that contains its attempt id.')
  const open = () => !call.destroyed && !call.writableEnded
  return {
    peer: { pin, signal: abort.signal },
    header: first.value.header,
    inputs: { [Symbol.asyncIterator]: () => ({ next }) },
    write: (output) => !open() || call.write(output),
    drained: () => (open() && call.writableNeedDrain ? roomOrEnd(call, abort.signal) : Promise.resolve()),
    signal: abort.signal,
    end: () => void (open() && call.end()),
    fail: (code, message) => fail(new Failure(code, message)),
  }
}

function roomOrEnd(call: ServerDuplexStream<RunInput, RunOutput>, signal: AbortSignal): Promise<void> {
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
