// Maps the calls of one connection to AgentService: admission, cancellation, back-pressure and failures.

import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServerWritableStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type AgentService, mapAgentMethods, type Peer } from '../rpc.ts'
import { grpcStatusOf, visibleFailure } from '../transport/status.ts'
import { type ServedExchange, serveExchange } from './exchange.ts'
import { OVER, openRunStream } from './run-stream.ts'

export type LinkCalls = {
  readonly implementation: UntypedServiceImplementation
  /** Ends the streams and resolves when no other call is running. */
  readonly idle: () => Promise<void>
}

type Deps = {
  readonly service: AgentService
  readonly pin: string
  /** Runs at the start of each call, and of each run of an exchange. Returns the reason to refuse it. */
  readonly admit: () => Failure | null
  readonly clock: Clock
  readonly log: Log
}

// Long factory: the calls share their admission, their count and the exchange of the link.
export function serveAgent({ service, pin, admit, clock, log }: Deps): LinkCalls {
  const stopped = new AbortController()
  let exchange: ServedExchange | null = null
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
  const note = (method: string, error: unknown) => {
    if (!(error instanceof Failure)) log.error({ method, err: error }, 'a call failed unexpectedly')
  }
  const report = (method: string, error: unknown) => {
    note(method, error)
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

  const run = (call: ServerDuplexStream<Wire<'RunInput'>, Wire<'RunOutput'>>) => {
    const refusal = admit()
    if (refusal) return void call.emit('error', grpcStatusOf(refusal))
    const leave = enter()
    const fail = (error: unknown) => void (call.destroyed || call.writableEnded || call.emit('error', report('run', error)))
    openRunStream(call, fail)
      .then(async (opened) => {
        if (!opened) return
        const { first, stream } = opened
        if (first?.step === 'resume') {
          if (!exchange) throw new Failure('STALE_ATTEMPT', 'The exchange is over.')
          await exchange.resume(first.resume.run, stream)
        } else if (first?.step === 'header' && first.header.attempt_id)
          await service.run({
            ...stream,
            peer: { pin, signal: stream.signal },
            header: first.header,
            fail: (code, message) => fail(new Failure(code, message)),
          })
        else throw new Failure('BAD_REQUEST', 'A run must begin with a header that contains its attempt id.')
        stream.end()
      })
      .catch(fail)
      .finally(leave)
  }

  const openExchange = (call: ServerDuplexStream<Wire<'ExchangeInput'>, Wire<'ExchangeOutput'>>) => {
    const refusal = admit() ?? (exchange && new Failure('CONFLICT', 'This link has an exchange.'))
    if (refusal) return void call.emit('error', grpcStatusOf(refusal))
    exchange = serveExchange(call, {
      pin,
      admit,
      enter,
      serve: service.run,
      endOf(error) {
        note('run', error)
        return visibleFailure(error)
      },
      stopped: stopped.signal,
      clock,
      onOver: () => (exchange = null),
    })
  }

  const implementation = mapAgentMethods((name, { kind }) => {
    if (kind === 'run') return run
    if (kind === 'unary') return unary(name, service[name] as (request: unknown, peer: Peer) => Promise<unknown>)
    return streaming(name, service[name] as (request: unknown, peer: Peer) => AsyncIterable<unknown>)
  })

  return {
    idle() {
      stopped.abort(OVER)
      return underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
    },
    implementation: { ...implementation, exchange: openExchange },
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
