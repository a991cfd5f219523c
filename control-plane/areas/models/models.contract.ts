// The model catalogue, installation and licences.
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
  NextReply,
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
    summary: 'Lists the catalogue with what is installed on the target machine.',
    reply: ModelList,
  }),
  install: contract({
    id: 'models.install',
    method: 'POST',
    path: '/models/install',
    access,
    summary:
      'Downloads a model of the catalogue to a machine; /setup/download-stream reports progress. A gated model needs accept_licence.',
    body: InstallBody,
    reply: InstallReply,
  }),
  cancelInstall: contract({
    id: 'models.cancelInstall',
    method: 'POST',
    path: '/models/install/cancel',
    access,
    summary: 'Cancels the download of a model on every machine. Downloaded parts are kept for the next attempt.',
    body: CancelBody,
    reply: CancelReply,
  }),
  moveFirst: contract({
    id: 'models.moveFirst',
    method: 'POST',
    path: '/models/install/next',
    access,
    summary: 'Moves a download that waits on the target machine before the others: it begins after the one that runs.',
    extension: true,
    body: CancelBody,
    reply: NextReply,
  }),
  remove: contract({
    id: 'models.remove',
    method: 'DELETE',
    path: '/models/{repo_id}',
    access,
    summary: 'Deletes a model from the target machine. Encode the slash of the id as %2F.',
    params: z.strictObject({ repo_id: RepoId }),
    reply: RemoveReply,
  }),
  removePlain: contract({
    id: 'models.removePlain',
    method: 'DELETE',
    path: '/models/{owner}/{name}',
    access,
    summary: 'Deletes a model from the target machine. The slash of the id is not encoded.',
    extension: true,
    params: z.strictObject({ owner: z.string().max(96), name: z.string().max(96) }),
    reply: RemoveReply,
  }),
  acceptLicence: contract({
    id: 'models.acceptLicence',
    method: 'POST',
    path: '/api/settings/license',
    access: 'admin',
    summary: 'Accepts the licence of the models of an engine, or withdraws the acceptance.',
    body: LicenceBody,
    reply: LicenceSetReply,
  }),
  readLicence: contract({
    id: 'models.readLicence',
    method: 'GET',
    path: '/api/settings/license/{engine_id}',
    access: 'admin',
    summary: 'Returns whether the licence of the models of an engine was accepted.',
    params: z.strictObject({ engine_id: z.string().min(1).max(64) }),
    reply: LicenceReply,
  }),
  followDownloads: contract({
    id: 'models.followDownloads',
    method: 'GET',
    path: '/setup/download-stream',
    access,
    summary: 'Streams server-sent events with one JSON document for each step of a download.',
    query: z.strictObject({ target: z.string().min(1).max(64).optional() }),
    media: ['text/event-stream'],
  }),
}
