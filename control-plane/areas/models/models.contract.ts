// Section 4.2, the routes of models.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'
import {
  CancelBody,
  CancelReply,
  InstallBody,
  InstallReply,
  LicenceBody,
  LicenceReply,
  LicenceSetReply,
  ModelList,
  RemoveReply,
  RepoId,
} from './models.schema.ts'

const access = 'consume' as const

export const modelsContracts = {
  list: contract({
    id: 'models.list',
    method: 'GET',
    path: '/models',
    access,
    summary: 'The catalogue, with what is installed on the machine that work goes to.',
    reply: ModelList,
  }),
  install: contract({
    id: 'models.install',
    method: 'POST',
    path: '/models/install',
    access,
    summary:
      'Has a machine fetch a model of the catalogue; progress on /setup/download-stream. Ours: accept_licence, without which a gated one is refused.',
    body: InstallBody,
    reply: InstallReply,
  }),
  cancelInstall: contract({
    id: 'models.cancelInstall',
    method: 'POST',
    path: '/models/install/cancel',
    access,
    summary: 'Ends the fetching of a model, wherever it is fetched; what has arrived is kept for the next try.',
    body: CancelBody,
    reply: CancelReply,
  }),
  remove: contract({
    id: 'models.remove',
    method: 'DELETE',
    path: '/models/{repo_id}',
    access,
    summary: 'Deletes a model from the machine that work goes to. The slash of the id is written %2F.',
    params: z.strictObject({ repo_id: RepoId }),
    reply: RemoveReply,
  }),
  removePlain: contract({
    id: 'models.removePlain',
    method: 'DELETE',
    path: '/models/{owner}/{name}',
    access,
    summary: 'The same with the slash of the id as it is.',
    extension: true,
    params: z.strictObject({ owner: z.string().max(96), name: z.string().max(96) }),
    reply: RemoveReply,
  }),
  acceptLicence: contract({
    id: 'models.acceptLicence',
    method: 'POST',
    path: '/api/settings/license',
    access: 'admin',
    summary: 'Accepts the licence of the models of an engine, or takes that back.',
    body: LicenceBody,
    reply: LicenceSetReply,
  }),
  readLicence: contract({
    id: 'models.readLicence',
    method: 'GET',
    path: '/api/settings/license/{engine_id}',
    access: 'admin',
    summary: 'Whether the licence of the models of an engine was accepted.',
    params: z.strictObject({ engine_id: z.string().min(1).max(64) }),
    reply: LicenceReply,
  }),
  followDownloads: contract({
    id: 'models.followDownloads',
    method: 'GET',
    path: '/setup/download-stream',
    access,
    summary: 'Server-sent events: one line of JSON for each step of a download, until the caller hangs up.',
    query: z.strictObject({ target: z.string().min(1).max(64).optional() }),
    media: ['text/event-stream'],
  }),
}
