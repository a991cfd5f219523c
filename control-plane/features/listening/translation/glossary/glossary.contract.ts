import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { ExtractBody, ExtractReply, TermBody, TermChange, TermRow } from './glossary.schema.ts'

const PROJECT_CHARS = 200
const project_id = z.string().max(PROJECT_CHARS)
const ofProject = z.strictObject({ project_id })
const ofTerm = z.strictObject({ project_id, term_id: z.string().max(64) })
const of = { kind: 'term', param: 'term_id' } as const

export const glossaryContracts = {
  list: contract({
    id: 'glossary.list',
    method: 'GET',
    path: '/glossary/{project_id}',
    access: 'consume',
    summary: 'Lists the glossary of a project, oldest term first. An unknown project has none.',
    params: ofProject,
    reply: z.array(TermRow),
  }),
  add: contract({
    id: 'glossary.add',
    method: 'POST',
    path: '/glossary/{project_id}',
    access: 'consume',
    summary: 'Adds a term to the glossary of a project.',
    params: ofProject,
    body: TermBody,
    reply: TermRow,
  }),
  clear: contract({
    id: 'glossary.clear',
    method: 'DELETE',
    path: '/glossary/{project_id}',
    access: 'consume',
    summary: 'Removes the terms of a project: all of them, or those that a language model proposed.',
    params: ofProject,
    query: z.strictObject({ only_auto: z.enum(['true', 'false', '1', '0', 'True', 'False']).default('false') }),
    reply: z.object({ deleted: z.int() }),
  }),
  change: contract({
    id: 'glossary.change',
    method: 'PUT',
    path: '/glossary/{project_id}/{term_id}',
    access: 'consume',
    of,
    summary: 'Changes a term. Null leaves a field as it is. A changed term counts as a term of the owner.',
    params: ofTerm,
    body: TermChange,
    reply: TermRow,
  }),
  remove: contract({
    id: 'glossary.remove',
    method: 'DELETE',
    path: '/glossary/{project_id}/{term_id}',
    access: 'consume',
    of,
    summary: 'Removes a term. An unknown id is no error.',
    params: ofTerm,
    reply: z.object({ deleted: z.boolean() }),
  }),
  extract: contract({
    id: 'glossary.extract',
    method: 'POST',
    path: '/glossary/{project_id}/auto-extract',
    access: 'consume',
    summary: 'Adds terms that a language model finds in the lines. Terms of the owner are never replaced.',
    params: ofProject,
    body: ExtractBody,
    bodyBytes: 16 * 1024 * 1024,
    reply: ExtractReply,
  }),
}
