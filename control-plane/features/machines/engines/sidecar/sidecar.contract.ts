// Installing a sidecar engine. For this machine only: an installation runs code.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { EnginePath } from '../engines.schema.ts'

/** `source`: a folder of this machine; without it the upstream repository. */
const InstallBody = z
  .strictObject({
    source: z
      .string()
      .min(1)
      .max(4096)
      .refine((path) => !path.includes('\0'), 'must not contain NUL characters')
      .nullish(),
  })
  .nullish()
  .meta({ id: 'SidecarWish' })
const Started = z
  .object({ status: z.enum(['started', 'already_running', 'already_installed']), engine: z.string() })
  .meta({ id: 'SidecarStarted' })
const Removed = z.object({ status: z.enum(['uninstalled', 'not_installed']), engine: z.string() }).meta({ id: 'SidecarRemoved' })
const Job = z.object({
  state: z.enum(['running', 'succeeded', 'failed']),
  steps: z.array(z.object({ id: z.string(), state: z.enum(['pending', 'running', 'done', 'skipped', 'error']), detail: z.string() })),
  log: z.array(z.string()),
  error: z.string().nullable(),
  remediation: z.string().nullable(),
  weights_progress: z.object({ filename: z.string(), downloaded: z.number(), total: z.number(), pct: z.number() }).nullable(),
  started_at: z.number(),
  finished_at: z.number().nullable(),
})
const Status = z
  .object({
    engine_id: z.string(),
    installed: z.boolean(),
    managed: z.boolean(),
    install_dir: z.string().nullable(),
    job: Job.nullable(),
  })
  .meta({ id: 'SidecarStatus' })

export const sidecarContracts = {
  installSidecar: contract({
    id: 'engines.installSidecar',
    method: 'POST',
    path: '/engines/sidecar/{engine_id}/install',
    access: 'admin',
    summary: 'Installs a sidecar engine from a local folder or with git. Returns immediately.',
    params: EnginePath,
    body: InstallBody,
    reply: Started,
  }),
  removeSidecar: contract({
    id: 'engines.removeSidecar',
    method: 'DELETE',
    path: '/engines/sidecar/{engine_id}/install',
    access: 'admin',
    summary: 'Removes a sidecar engine that the studio installed. Files that the owner placed there are kept.',
    params: EnginePath,
    reply: Removed,
  }),
  sidecarStatus: contract({
    id: 'engines.sidecarStatus',
    method: 'GET',
    path: '/engines/sidecar/{engine_id}/install/status',
    access: 'admin',
    summary: 'Returns the progress or the result of a sidecar installation.',
    params: EnginePath,
    reply: Status,
  }),
}
