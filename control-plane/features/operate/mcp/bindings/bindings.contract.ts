// The voice and the engine of each MCP client, by the id that the client sends in the header X-Svc-Client-Id.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { characters } from '#shared/protocol/fields/characters.ts'

export const CLIENT_ID_CHARS = 128
const Row = z
  .object({
    client_id: z.string(),
    label: z.string().nullable(),
    profile_id: z.string().nullable(),
    default_engine: z.string().nullable(),
    last_seen_at: z.number().nullable(),
    created_at: z.number(),
  })
  .meta({ id: 'McpBinding' })
export type BindingRow = z.output<typeof Row>

/** Null leaves the field as it is, and an empty text clears it. */
const field = (chars: number) =>
  characters(chars)
    .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
    .nullish()
    .transform((text) => text ?? null)
const clientId = characters(CLIENT_ID_CHARS).min(1)
const Body = z
  .strictObject({ client_id: clientId, label: field(200), profile_id: field(128), default_engine: field(64) })
  .meta({ id: 'McpBindingChange' })
export type BindingChange = z.output<typeof Body>

export const bindingsContracts = {
  list: contract({
    id: 'mcp.listBindings',
    method: 'GET',
    path: '/api/mcp/bindings',
    access: 'own',
    summary: 'Lists the voices of MCP clients, the client that was seen last first.',
    reply: z.array(Row),
  }),
  write: contract({
    id: 'mcp.writeBinding',
    method: 'PUT',
    path: '/api/mcp/bindings',
    access: 'own',
    summary: 'Creates or changes the voice of an MCP client. Null leaves a field as it is, and an empty text clears it.',
    body: Body,
    reply: Row,
  }),
  remove: contract({
    id: 'mcp.removeBinding',
    method: 'DELETE',
    path: '/api/mcp/bindings/{client_id}',
    access: 'own',
    summary: 'Removes the voice of an MCP client.',
    params: z.strictObject({ client_id: clientId }),
    reply: z.object({ deleted: z.string() }),
  }),
}
