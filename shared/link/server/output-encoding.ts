// Encodes the outputs of a run. A message with a large payload is written into one buffer that the next message reuses: the library copies it
// behind its length at once, and a new buffer for each message costs a full collection for every 25 MiB on a small heap.

import type { ServiceDefinition } from '@grpc/grpc-js'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { agentCodecs, agentDefinition } from '../rpc.ts'

type Encode = (output: Wire<'RunOutput'>) => Buffer
type Chunk = Extract<Wire<'Event'>, { fact: 'output' }>

/** Smaller messages come from Node's own pool. */
const LARGE_BYTES = 16 * 1024
/** Field number and wire type, as in the proto file. */
const TAG = { events: 0x0a, seq: 0x08, output: 0x3a, part: 0x08, offset: 0x10, payload: 0x1a }

/** The service of an agent as its gRPC server encodes it. */
export const servedDefinition: ServiceDefinition = {
  ...agentDefinition,
  Run: { ...agentCodecs.run, responseSerialize: createOutputEncoder(agentCodecs.run.responseSerialize) },
}

/** `encode` encodes any message. The returned buffer is valid until the next call. */
export function createOutputEncoder(encode: Encode): Encode {
  let reused = Buffer.alloc(0)
  return (output) => {
    const { events, wanted } = output
    if (payloadOf(events) < LARGE_BYTES) return encode(output)
    // The encoding of a message is that of its parts, one after the other.
    const pieces = events.flatMap((event) => (event.fact === 'output' ? piecesOf(event) : [encode({ events: [event] })]))
    if (wanted) pieces.push(encode({ events: [], wanted }))
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    if (reused.length < size) reused = Buffer.allocUnsafe(size)
    let at = 0
    for (const piece of pieces) {
      reused.set(piece, at)
      at += piece.length
    }
    return reused.subarray(0, size)
  }
}

const payloadOf = (events: readonly Wire<'Event'>[]): number =>
  events.reduce((sum, event) => sum + (event.fact === 'output' ? event.output.payload.length : 0), 0)

function piecesOf({ seq, output: { part, offset, payload } }: Chunk): Uint8Array[] {
  const fields = [TAG.part, ...varint(part), TAG.offset, ...varint(offset), TAG.payload, ...varint(payload.length)]
  const event = [TAG.seq, ...varint(seq), TAG.output, ...varint(fields.length + payload.length), ...fields]
  return [Uint8Array.from([TAG.events, ...varint(event.length + payload.length), ...event]), payload]
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return [...bytes, rest]
}
