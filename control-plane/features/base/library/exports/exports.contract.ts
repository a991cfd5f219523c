// Copies of finished files to places that the owner has chosen, and the list of them.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { text } from '../text.schema.ts'

const Row = z
  .object({ id: z.string(), filename: z.string(), destination_path: z.string(), mode: z.string(), created_at: z.number() })
  .meta({ id: 'ExportRow' })
const Recorded = z.object({ success: z.literal(true), id: z.string() }).meta({ id: 'ExportRecorded' })
const mode = (fallback: string) => text(64).default(fallback)

export const exportsContracts = {
  copy: contract({
    id: 'library.copyExport',
    method: 'POST',
    path: '/export',
    access: 'native',
    summary: 'Copies a finished file to the place of a one-shot authorization. Only from the machine of the studio.',
    body: z.strictObject({ source_filename: text(1000), authorization: text(200), mode: mode('history') }).meta({ id: 'ExportRequest' }),
    reply: Recorded,
  }),
  record: contract({
    id: 'library.recordExport',
    method: 'POST',
    path: '/export/record',
    access: 'consume',
    summary: 'Records an export that a client has made itself. Touches no file.',
    body: z
      .strictObject({ filename: text(1000), destination_path: text(4096).default('~/Downloads'), mode: mode('file') })
      .meta({ id: 'ExportRecord' }),
    reply: Recorded,
  }),
  list: contract({
    id: 'library.listExports',
    method: 'GET',
    path: '/export/history',
    access: 'consume',
    summary: 'Lists the newest 50 exports, newest first.',
    reply: z.array(Row),
  }),
  reveal: contract({
    id: 'library.revealFile',
    method: 'POST',
    path: '/export/reveal',
    access: 'native',
    summary: 'Shows a file of the data directory in the file manager. Only from the machine of the studio.',
    body: z.strictObject({ path: text(4096) }),
    reply: z.object({ success: z.literal(true) }),
  }),
}
