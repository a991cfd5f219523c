// The log of the studio, and the log of a desktop shell or service manager that starts it.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const tail = z.object({ tail: z.string().max(64).optional() })
const Lines = z
  .object({
    /** Lines with their line breaks, oldest first. */
    lines: z.array(z.string()),
    path: z.string(),
    exists: z.boolean(),
    total_lines: z.int(),
  })
  .meta({ id: 'SystemLog' })
const ShellLines = z
  .object({
    lines: z.array(z.string()),
    path: z.string().nullable(),
    exists: z.boolean(),
    total_lines: z.int(),
    /** Only when there is no such log: where one is looked for. */
    candidates: z.array(z.string()).optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'ShellLog' })
const access = 'admin' as const

export const systemLogsContracts = {
  readLog: contract({
    id: 'system.readLog',
    method: 'GET',
    path: '/system/logs',
    access,
    summary: 'Returns the newest lines of the log of the studio: 10 to 2000, 200 by default.',
    query: tail,
    reply: Lines,
  }),
  readShellLog: contract({
    id: 'system.readShellLog',
    method: 'GET',
    path: '/system/logs/tauri',
    access,
    summary: 'Returns the newest lines of the log of the desktop shell or service manager, if there is one.',
    query: tail,
    reply: ShellLines,
  }),
  followLog: contract({
    id: 'system.followLog',
    method: 'GET',
    path: '/system/logs/stream',
    access,
    summary: 'Streams new lines of a log as server-sent events; the data of each is a JSON array of lines.',
    query: z.object({ source: z.string().max(32).default('backend'), interval: z.coerce.number().min(0.3).max(10).default(1) }),
    events: z.array(z.string()),
    media: ['text/event-stream'],
  }),
  clearLog: contract({
    id: 'system.clearLog',
    method: 'POST',
    path: '/system/logs/clear',
    access,
    summary: 'Deletes the lines of the log and of the crash log.',
    reply: z.object({ cleared: z.boolean() }).meta({ id: 'LogCleared' }),
  }),
  clearShellLog: contract({
    id: 'system.clearShellLog',
    method: 'POST',
    path: '/system/logs/tauri/clear',
    access,
    summary: 'Deletes the lines of the logs of the desktop shell.',
    reply: z.object({ cleared: z.array(z.string()), failed: z.int() }).meta({ id: 'ShellLogCleared' }),
  }),
}
