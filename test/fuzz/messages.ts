// Every message of both services: random valid ones from its description, the real decoder, and its first consumer.
import { join } from 'node:path'
import type { ServiceDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import fc from 'fast-check'
import { agentDefinition, enrolmentDefinition } from '#shared/link/rpc.ts'
import { inspectLeaf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { createRequest, readRequest } from '#shared/pki/request.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import {
  CommitMessage,
  ConsentMessage,
  DescriptionMessage,
  DrainMessage,
  InstallEventMessage,
  InstallMessage,
  InventoryMessage,
  ModelMessage,
  SnapshotMessage,
} from '#shared/protocol/messages.ts'
import { EventMessage, HeaderMessage } from '#shared/protocol/run-messages.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { sharedCertificates } from '../support/doubles/link-certificates.ts'

export type Subject = {
  readonly name: string
  readonly encode: (message: unknown) => Buffer
  readonly decode: (bytes: Buffer) => unknown
  /** The first consumer of the message. Throws only Failures. */
  readonly check: (message: never) => unknown
  readonly valid: fc.Arbitrary<unknown>
}
type Described = { readonly name: string; readonly field: readonly Field[] }
type Side = { readonly type: { readonly type: Described } }
type Field = { readonly name: string; readonly type: string; readonly typeName: string; readonly label: string }

const word = fc.oneof(
  fc.constantFrom(
    '',
    'tone',
    'svc-engine',
    'tts',
    'attempt-1',
    'running',
    'CANCELLED',
    '../../etc/passwd',
    'file:///etc/passwd',
    '__proto__',
  ),
  fc.stringMatching(/^[a-z0-9_-]{1,64}$/),
  fc.string({ unit: 'binary', maxLength: 300 }),
)
const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  TYPE_STRING: word,
  TYPE_BYTES: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  TYPE_BOOL: fc.boolean(),
  TYPE_FLOAT: fc.oneof(fc.float({ min: 0, max: 1 }), fc.float()),
  TYPE_UINT32: fc.nat({ max: 2 ** 32 - 1 }),
  TYPE_UINT64: fc.oneof(fc.nat(), fc.maxSafeNat()),
}

/** Every message by its name, including nested ones. */
const described = new Map(
  Object.values(
    loadSync(['voice/agent/v1/agent.proto', 'voice/enrolment/v1/enrolment.proto'], {
      includeDirs: [join(import.meta.dirname, '../../proto')],
      keepCase: true,
    }),
  ).flatMap((entry) => ('type' in entry ? [[(entry.type as Described).name, entry.type as Described] as const] : [])),
)

const sides = (service: ServiceDefinition) =>
  Object.values(service).flatMap((method) => {
    const { requestType, responseType } = method as unknown as { requestType: Side['type']; responseType: Side['type'] }
    return [
      { path: `${method.path} asks`, type: requestType.type, encode: method.requestSerialize, decode: method.requestDeserialize },
      { path: `${method.path} answers`, type: responseType.type, encode: method.responseSerialize, decode: method.responseDeserialize },
    ]
  })

export async function subjects(): Promise<Subject[]> {
  const key = await createKey()
  const { agent } = await sharedCertificates()
  // Texts with a required form: without valid ones the code behind the first check would never run.
  const texts: Readonly<Record<string, string>> = {
    csr_pem: createRequest(key, 'machine'),
    certificate_pem: agent.certificate,
    authority_pem: agent.authority,
    worker_id: 'gpu-1',
  }
  const all = [...sides(agentDefinition), ...sides(enrolmentDefinition)]
  const valid = (type: Described): fc.Arbitrary<unknown> =>
    fc.record(
      Object.fromEntries(
        type.field.map(({ name, type: kind, typeName, label }) => {
          const one =
            kind === 'TYPE_MESSAGE'
              ? valid(described.get(typeName)!)
              : name in texts
                ? fc.oneof(fc.constant(texts[name]), damagedText(texts[name]!), word)
                : SCALARS[kind]!
          return [name, label === 'LABEL_REPEATED' ? fc.array(one, { maxLength: 4 }) : one]
        }),
      ),
      { requiredKeys: [] },
    )
  const checks: Readonly<Record<string, (message: never) => unknown>> = {
    Description: (message) => parseMessage(DescriptionMessage, message),
    Snapshot: (message) => parseMessage(SnapshotMessage, message),
    RunInput: (message: Wire<'RunInput'>) =>
      message.step === 'header' && parseMessage(HeaderMessage, message.header, 'INVALID_TASK_PARAMS'),
    RunOutput: (message: Wire<'RunOutput'>) => message.events.map((event) => parseMessage(EventMessage, event)),
    ExchangeInput: ({ frames }: Wire<'ExchangeInput'>) =>
      frames.map((frame) => frame.step === 'header' && parseMessage(HeaderMessage, frame.header, 'INVALID_TASK_PARAMS')),
    ExchangeOutput: ({ frames }: Wire<'ExchangeOutput'>) =>
      frames.flatMap((frame) => (frame.step === 'output' ? frame.output.events.map((event) => parseMessage(EventMessage, event)) : [])),
    CommitRequest: (message) => parseMessage(CommitMessage, message, 'INVALID_TASK_PARAMS'),
    ConsentRequest: (message) => parseMessage(ConsentMessage, message, 'INVALID_TASK_PARAMS'),
    DrainRequest: (message) => parseMessage(DrainMessage, message, 'INVALID_TASK_PARAMS'),
    InventoryReply: (message) => parseMessage(InventoryMessage, message),
    InstallRequest: (message) => parseMessage(InstallMessage, message, 'INVALID_TASK_PARAMS'),
    InstallEvent: (message) => parseMessage(InstallEventMessage, message),
    ModelRequest: (message) => parseMessage(ModelMessage, message, 'INVALID_TASK_PARAMS'),
    RedeemRequest: (message: { csr_pem: string }) => readRequest(message.csr_pem),
    RenewRequest: (message: { csr_pem: string }) => readRequest(message.csr_pem),
    Identity: (message: Wire<'Identity'>) =>
      inspectLeaf({
        certificatePem: message.certificate_pem,
        authorityPem: message.authority_pem,
        publicKeyPem: publicKeyOf(agent.key),
        role: 'worker',
        id: message.worker_id,
        now: systemClock.now(),
      }),
  }
  return all.map(({ path, type, encode, decode }) => ({
    name: `${path}: ${type.name}`,
    encode,
    decode,
    check: checks[type.name] ?? (() => {}),
    valid: valid(type),
  }))
}

/** A text with one character replaced, removed or doubled. */
const damagedText = (text: string): fc.Arbitrary<string> =>
  fc
    .record({ at: fc.nat({ max: text.length - 1 }), put: fc.string({ maxLength: 3 }), drop: fc.nat({ max: 3 }) })
    .map(({ at, put, drop }) => text.slice(0, at) + put + text.slice(at + drop))
