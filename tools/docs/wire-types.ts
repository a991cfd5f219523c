// The TypeScript types of proto/: every message as its decoder returns it, and every method with its request and reply, with the comments of
// the proto files.
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { ROOT } from '#cli/lib/command.ts'

const FILES = { Agent: 'voice/agent/v1/agent.proto', Enrolment: 'voice/enrolment/v1/enrolment.proto' }
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bytes: 'Uint8Array',
  bool: 'boolean',
  float: 'number',
  uint32: 'number',
  uint64: 'number',
}

const HEAD = [
  '// Generated from proto/ by `./studio docs`.',
  '',
  '/** A message without fields. */',
  'export type Empty = Record<string, never>',
  '/**',
  " * The chosen field of a oneof beside its name (`step: 'header'`). The encoder ignores the name; the types require it, so that one type serves",
  ' * both directions.',
  ' */',
  'type OneOf<Name extends string, Choices> = { [K in keyof Choices]: Record<Name, K> & Pick<Choices, K> }[keyof Choices]',
  '/** A method. `streams`: which sides send many messages. A reply of type void is an empty message. */',
  "type Rpc<Streams extends 'none' | 'reply' | 'both', Request, Reply> = { streams: Streams; request: Request; reply: Reply }",
  '',
  '/** A message by its name. */',
  'export type Wire<Name extends keyof WireMessages> = WireMessages[Name]',
  '/** The messages of both services, as their decoders return them and their encoders take them. */',
  'export type WireMessages = {',
]

/** Source of shared/protocol/generated/wire.ts. Throws an Error for a type of field that no message has yet. */
export function wireTypes(): string {
  const root = new protobuf.Root()
  root.resolvePath = (_from, path) => join(ROOT, 'proto', path)
  root.loadSync(Object.values(FILES), { keepCase: true, alternateCommentMode: true })
  root.resolveAll()
  const messages: protobuf.Type[] = []
  const visit = (one: protobuf.ReflectionObject) => {
    if (one instanceof protobuf.Type) messages.push(one)
    else if (one instanceof protobuf.Namespace) one.nestedArray.forEach(visit)
  }
  visit(root)
  const services = Object.entries(FILES).map(([name, path]) => {
    const service = root.lookupService(`${path.split('/').slice(0, -1).join('.')}.${name}`)
    const rows = service.methodsArray.flatMap((method) => [...comment(method, '  '), `  ${rpc(method)}`])
    return ['', `/** The methods of the service ${name}. */`, `export type ${name}Rpcs = {`, ...rows, '}'].join('\n')
  })
  return [...HEAD, ...messages.flatMap(message), '}', ...services, ''].join('\n')
}

const comment = ({ comment: text }: protobuf.ReflectionObject, indent: string): string[] => {
  if (text === null) return []
  const lines = text.split('\n')
  return lines.length === 1 ? [`${indent}/** ${text} */`] : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`]
}

function typeOf(field: protobuf.Field): string {
  const { resolvedType } = field
  const one = resolvedType ? (isEmpty(resolvedType.name) ? 'Empty' : `Wire<'${resolvedType.name}'>`) : SCALARS[field.type]
  if (one === undefined || field.map) throw new Error(`${field.fullName}: fields of ${field.type} have no type yet.`)
  return field.repeated ? `${one}[]` : one
}
const isEmpty = (name: string) => name === 'Empty'

function lines(fields: readonly protobuf.Field[]): string[] {
  return fields.flatMap((field) => {
    // A message that the sender left out is null for the receiver; any other field has its default.
    const isPart = field.resolvedType !== null && !field.repeated && !field.partOf
    return [...comment(field, '    '), `    ${field.name}${isPart ? '?' : ''}: ${typeOf(field)}${isPart ? ' | null' : ''}`]
  })
}

function message(type: protobuf.Type): string[] {
  if (type.fieldsArray.length === 0) return []
  const plain = type.fieldsArray.filter(({ partOf }) => !partOf)
  const own = plain.length > 0 ? [['{', ...lines(plain), '  }'].join('\n')] : []
  const unions = type.oneofsArray.map((oneof) =>
    [`OneOf<`, `    '${oneof.name}',`, '    {', ...lines(oneof.fieldsArray).map((line) => `  ${line}`), '    }', '  >'].join('\n'),
  )
  return [...comment(type, '  '), `  ${type.name}: ${[...own, ...unions].join(' & ')}`]
}

function rpc({ name, requestStream, responseStream, resolvedRequestType: request, resolvedResponseType: reply }: protobuf.Method): string {
  const streams = requestStream ? 'both' : responseStream ? 'reply' : 'none'
  const typeName = (type: protobuf.Type | null, empty: string) => (type && type.fieldsArray.length > 0 ? `Wire<'${type.name}'>` : empty)
  return `${name[0]!.toLowerCase()}${name.slice(1)}: Rpc<'${streams}', ${typeName(request, 'Empty')}, ${typeName(reply, 'void')}>`
}
