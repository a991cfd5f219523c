// One link as its users see it: the calls, and the promise that every one of them ends as soon as the socket is gone.
import type { Socket } from 'node:net'
import type { Client, MethodDefinition, ServiceError } from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import {
  agentDefinition,
  type ExpectedPeer,
  type InstallEvent,
  type InstallRequest,
  type Link,
  type LogLine,
  type LogsRequest,
  type RunCall,
  type RunHeader,
  type RunInput,
  type RunOutput,
  type RunReader,
  type Snapshot,
  type WatchRequest,
} from '../rpc.ts'
import { failureOf } from '../transport/status.ts'

const DEFAULT_TIMEOUT_MS = 10_000

export type LinkParts = {
  readonly client: Client
  readonly socket: Socket
  readonly peer: ExpectedPeer
  readonly peerAddress: string
  readonly clock: Clock
}

/** The owner of the socket tells the link of its end by `close`; the link never notices it by itself. */
export function createLink({ client, socket, peer, peerAddress, clock }: LinkParts): Link {
  const calls = new Set<(reason: Failure) => void>()
  const closing = Promise.withResolvers<Failure>()
  let closedBy: Failure | null = null
  // Connect now rather than at the first call: the agent's side of the session waits for it, and keepalives start with it.
  client.getChannel().getConnectivityState(true)

  function unary<Request, Reply>(name: keyof typeof METHODS, request: Request, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Reply> {
    if (closedBy) return Promise.reject(closedBy)
    return new Promise<Reply>((resolve, reject) => {
      const settle = (settled: () => void) => {
        forget()
        calls.delete(abandon)
        settled()
      }
      const { path, requestSerialize, responseDeserialize } = METHODS[name] as MethodDefinition<Request, Reply>
      const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, reply) =>
        settle(() => (error ? reject(failureOf(error)) : resolve(reply as Reply))),
      )
      const abandon = (reason: Failure) => {
        settle(() => reject(reason))
        call.cancel()
      }
      const forget = clock.after(timeoutMs, () =>
        abandon(new Failure('WORKER_UNREACHABLE', `The agent did not answer ${name} within ${timeoutMs} ms.`)),
      )
      calls.add(abandon)
    })
  }

  function run(header: RunHeader, reader: RunReader): RunCall {
    if (closedBy) return refusedRun(closedBy, reader)
    const { path, requestSerialize, responseDeserialize } = METHODS.Run as MethodDefinition<RunInput, RunOutput>
    const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
    let over = false
    let refusal: Failure | null = null
    let hasRoom = () => {}
    const finish = (error: Failure | null) => {
      if (over) return
      over = true
      calls.delete(abandon)
      hasRoom()
      reader.end(error)
    }
    const abandon = (reason: Failure) => {
      finish(reason)
      call.cancel()
    }
    calls.add(abandon)
    call.on('data', ({ events, wanted }: RunOutput) => {
      if (over) return
      if (events.length > 0 || !wanted) reader.output(events)
      if (wanted) reader.wanted?.(wanted)
    })
    call.on('drain', () => hasRoom())
    // The status overtakes outputs a paused reader has not taken yet; they still count, so the end waits for them.
    call.on('error', (error: ServiceError) => {
      refusal = failureOf(error)
      if (call.readableEnded) finish(refusal)
    })
    call.on('end', () => finish(refusal))
    call.write({ step: 'header', header })
    return {
      write: (input) => over || call.write(input),
      drained: () => (over || !call.writableNeedDrain ? Promise.resolve() : new Promise((resolve) => (hasRoom = resolve))),
      end: () => void (over || call.end()),
      cancel: () => over || abandon(new Failure('CANCELLED', 'The call was cancelled.')),
      pause: () => void call.pause(),
      resume: () => void call.resume(),
    }
  }

  async function* watch(request: WatchRequest, signal: AbortSignal): AsyncGenerator<Snapshot> {
    if (closedBy) throw closedBy
    const { path, requestSerialize, responseDeserialize } = METHODS.Watch as MethodDefinition<WatchRequest, Snapshot>
    const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request)
    let latest: Snapshot | null = null
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
    calls.add(abandon)
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    call.on('data', (snapshot: Snapshot) => {
      latest = snapshot
      wake()
    })
    call.on('error', (error: ServiceError) => finish(failureOf(error)))
    call.on('end', () => finish(null))
    try {
      while (true) {
        const snapshot = latest as Snapshot | null
        const ended = end as { reason: Failure | null } | null
        latest = null
        if (snapshot && !ended) yield snapshot
        else if (ended?.reason) throw ended.reason
        else if (ended) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      calls.delete(abandon)
      signal.removeEventListener('abort', aborted)
      call.cancel()
    }
  }

  /** Every message of a stream, in order; a slow reader slows the agent. */
  async function* stream<Request, Reply>(name: keyof typeof METHODS, request: Request, signal: AbortSignal): AsyncGenerator<Reply> {
    if (closedBy) throw closedBy
    const { path, requestSerialize, responseDeserialize } = METHODS[name] as MethodDefinition<Request, Reply>
    const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request)
    let reason: Failure | null = null
    const abandon = (why: Failure) => {
      reason ??= why
      call.cancel()
    }
    const aborted = () => call.cancel()
    calls.add(abandon)
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    try {
      for await (const message of call) yield message as Reply
    } catch (error) {
      if (reason) throw reason
      if (!signal.aborted) throw failureOf(error as ServiceError)
    } finally {
      calls.delete(abandon)
      signal.removeEventListener('abort', aborted)
      call.cancel()
    }
  }

  return {
    workerId: peer.workerId,
    peerAddress,
    get isOpen() {
      return closedBy === null
    },
    closed: closing.promise,
    describe: (request, timeoutMs) => unary('Describe', request, timeoutMs),
    watch,
    run,
    commit: async (request, timeoutMs) => void (await unary('Commit', request, timeoutMs)),
    consent: async (request, timeoutMs) => void (await unary('Consent', request, timeoutMs)),
    drain: (request, timeoutMs) => unary('Drain', request, timeoutMs),
    rotate: async (timeoutMs) => void (await unary('Rotate', {}, timeoutMs)),
    logs: (request, signal) => stream<LogsRequest, LogLine>('Logs', request, signal),
    inventory: (timeoutMs) => unary('Inventory', {}, timeoutMs),
    install: (request, signal) => stream<InstallRequest, InstallEvent>('Install', request, signal),
    stopInstall: (request, timeoutMs) => unary('StopInstall', request, timeoutMs),
    removeModel: (request, timeoutMs) => unary('RemoveModel', request, timeoutMs),
    unload: (request, timeoutMs) => unary('Unload', request, timeoutMs),
    close(reason) {
      if (closedBy) return
      closedBy = reason
      for (const abandon of [...calls]) abandon(reason)
      client.close()
      socket.destroy()
      closing.resolve(reason)
    },
  }
}

type Method =
  | 'Describe'
  | 'Watch'
  | 'Run'
  | 'Commit'
  | 'Consent'
  | 'Drain'
  | 'Rotate'
  | 'Unload'
  | 'Logs'
  | 'Inventory'
  | 'Install'
  | 'StopInstall'
  | 'RemoveModel'
const METHODS = agentDefinition as { [Name in Method]: unknown }

function refusedRun(reason: Failure, reader: RunReader): RunCall {
  const nothing = () => {}
  queueMicrotask(() => reader.end(reason))
  return { write: () => true, drained: async () => {}, end: nothing, cancel: nothing, pause: nothing, resume: nothing }
}
