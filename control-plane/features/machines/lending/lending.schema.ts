import { z } from 'zod'
import { InboundView, IssuedKey } from '#shared/protocol/agent-control.ts'
import { CONNECTION_LIMIT_CHARS } from '#shared/protocol/codes/connection-string.ts'
import { characters } from '#shared/protocol/fields/characters.ts'

export const LendingReply = z
  .object({
    worker_mode: z.boolean(),
    running: z.boolean(),
    enrolled: z.boolean(),
    endpoint: z.string(),
    last_error: z.string(),
    env_pinned: z.boolean(),
    /** The fields from here on are extensions. */
    worker_id: z.string(),
    studio_name: z.string(),
    draining: z.boolean(),
    held: z.int(),
  })
  .meta({ id: 'Lending' })
export type LendingReply = z.output<typeof LendingReply>

export const ConnectionView = z.object({
  endpoint: z.string(),
  connected: z.boolean(),
  worker_id: z.string(),
  last_error: z.string(),
})
export type ConnectionView = z.output<typeof ConnectionView>

export const InboundNode = InboundView.meta({ id: 'InboundNode' })
export const InboundReply = InboundView.extend({ connections: z.array(ConnectionView) }).meta({ id: 'Inbound' })
export const NewKey = IssuedKey.meta({ id: 'InboundKey' })

export const JoinBody = z.strictObject({
  token: z
    .string()
    .max(4096)
    .refine((text) => text.trim() !== '', 'Paste the join code first.'),
})
export const SwitchBody = z.strictObject({ enabled: z.boolean() })
export const ListenBody = z.strictObject({
  enabled: z.boolean(),
  bind: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]*$/, 'must be a host name or an address')
    .default(''),
  port: z.int().min(0).max(65_535).default(0),
})
export const KeyBody = z.strictObject({
  label: characters(64)
    .refine((text) => !/\p{C}/u.test(text), 'must be one line of text')
    .default(''),
})
export const KeyPath = z.strictObject({ key_id: z.string().min(1).max(64) })
export const SessionPath = z.strictObject({ session_id: z.string().min(1).max(64) })
export const ConnectBody = z.strictObject({ connection_string: z.string().min(1).max(CONNECTION_LIMIT_CHARS) })
export const EndpointPath = z.strictObject({ endpoint: z.string().min(1).max(300) })
