import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { EntryBody, EntryChange, EntryRow, Exported, ImportBody } from './pronunciation.schema.ts'

const params = z.strictObject({ entry_id: z.string().max(64) })

export const pronunciationContracts = {
  list: contract({
    id: 'pronunciation.list',
    method: 'GET',
    path: '/pronunciation',
    access: 'admin',
    summary: 'Lists the pronunciation dictionary, oldest entry first.',
    reply: z.array(EntryRow),
  }),
  add: contract({
    id: 'pronunciation.add',
    method: 'POST',
    path: '/pronunciation',
    access: 'admin',
    summary: 'Adds an entry to the pronunciation dictionary.',
    body: EntryBody,
    reply: EntryRow,
  }),
  change: contract({
    id: 'pronunciation.change',
    method: 'PUT',
    path: '/pronunciation/{entry_id}',
    access: 'admin',
    summary: 'Changes an entry. Null leaves a field as it is.',
    params,
    body: EntryChange,
    reply: EntryRow,
  }),
  remove: contract({
    id: 'pronunciation.remove',
    method: 'DELETE',
    path: '/pronunciation/{entry_id}',
    access: 'admin',
    summary: 'Removes an entry. An unknown id is no error.',
    params,
    reply: z.object({ deleted: z.boolean() }),
  }),
  export: contract({
    id: 'pronunciation.export',
    method: 'GET',
    path: '/pronunciation/export',
    access: 'admin',
    summary: 'Returns all entries in the form that the import accepts.',
    reply: Exported,
  }),
  import: contract({
    id: 'pronunciation.import',
    method: 'POST',
    path: '/pronunciation/import',
    access: 'admin',
    summary: 'Adds entries, or replaces all of them. One invalid entry refuses the whole import.',
    body: ImportBody,
    bodyBytes: 16 * 1024 * 1024,
    bodyValues: 100_000,
    reply: z.object({ imported: z.int(), replaced: z.boolean() }).meta({ id: 'PronunciationImportReply' }),
  }),
}
