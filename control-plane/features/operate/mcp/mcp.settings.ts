import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const mcpSettings = {
  enabled: setting({
    key: 'mcp.enabled',
    access: 'admin',
    controls: { group: 'mcp', title: 'MCP server', help: 'Lets assistants on this machine use the voices of this studio.' },
    schema: z.boolean(),
    fallback: true,
    env: 'STUDIO_MCP_ENABLED',
    summary: 'Whether the MCP server at /mcp answers.',
  }),
  defaultVoice: setting({
    key: 'mcp_default_profile_id',
    access: 'admin',
    schema: z.string().max(128),
    fallback: '',
    summary: 'The voice of MCP clients without a voice of their own; empty for the default voice of the engine.',
  }),
}
