// Schemas of the model catalogue in the API.
import { z } from 'zod'
import { NEED_KINDS, NeedView } from '#shared/protocol/fields/model-need.ts'

/** An id that names nothing is not found in any form. */
export const RepoId = z.string().min(1).max(200)

export const ModelRow = z
  .object({
    repo_id: z.string(),
    label: z.string(),
    role: z.enum(['TTS', 'ASR', 'Diarisation', 'Separation', 'Translation']),
    size_gb: z.number(),
    required: z.boolean().optional(),
    platforms: z.array(z.string()).optional(),
    curated_on: z.array(z.string()).optional(),
    note: z.string().optional(),
    engine: z.string(),
    dictation_id: z.string().optional(),
    tag: z.string().optional(),
    installed: z.boolean(),
    incomplete: z.boolean(),
    size_on_disk_bytes: z.number().int(),
    nb_files: z.number().int(),
    supported: z.boolean(),
    curated: z.boolean(),
    // Ours.
    model: z.string(),
    precision: z.string(),
    licence: z.string(),
    gated: z.boolean(),
    licence_accepted: z.boolean(),
    /** It has a licence card, which must be shown before the download: GET /models/card. */
    card: z.boolean(),
    /** Models of one group are listed together; null for none. */
    group: z.string().nullable(),
    pinned: z.boolean(),
    installing: z.boolean(),
    /** The last installation was cancelled, and the model is not installed. */
    cancelled: z.boolean(),
    /** The installation that waits or runs, or the last one if it failed; null otherwise and once the model is installed. */
    download: z
      .object({
        state: z.enum(['queued', 'downloading', 'failed']),
        error: z.string().nullable(),
        /** Code of the failure. */
        code: z.string().nullable(),
        /** Number of installations of the machine that come before it; null once it has failed. */
        position: z.int().nullable(),
      })
      .nullable(),
    /** Added from files by the owner of the machine: in no catalogue, and not verified against a publisher. */
    own: z.boolean(),
    /** Kinds of work for which it is offered when they cannot be done: those of GET /models/needs. */
    offered_for: z.array(z.enum(NEED_KINDS)),
    /** Bytes of main or device memory; 0 if not measured. */
    memory_bytes: z.number().int(),
  })
  .meta({ id: 'Model' })
export type ModelRow = z.output<typeof ModelRow>

export const ModelList = z
  .object({
    models: z.array(ModelRow),
    total_installed_bytes: z.number().int(),
    hf_cache_dir: z.string(),
    disk_free_gb: z.number().nullable(),
    platform_tags: z.array(z.string()),
    /** Ours: bytes a second of the last download of the machine since the studio started; null for none. */
    download_rate: z.number().nullable(),
  })
  .meta({ id: 'ModelList' })
export type ModelList = z.output<typeof ModelList>

/** Missing models; empty while the engines of this machine start. */
export const NeedsReply = z.object({ needs: z.array(NeedView) }).meta({ id: 'Needs' })

/** `target`: `local`, or the id of a machine; the chosen target by default. */
export const TargetQuery = z.strictObject({ target: z.string().min(1).max(64).optional() })
export const CardQuery = z.strictObject({ repo_id: z.string().min(1).max(200) })
/** `card`: text of the publisher of the model. */
export const CardReply = z
  .object({ repo_id: z.string(), label: z.string(), licence: z.string(), card: z.string() })
  .meta({ id: 'ModelCard' })
export type CardReply = z.output<typeof CardReply>

export const InstallBody = z.strictObject({
  repo_id: z.string().min(1).max(200),
  target: z.string().min(1).max(64).optional(),
  accept_licence: z.boolean().default(false),
})
export const LicenceBody = z.strictObject({ engine_id: z.string().trim().min(1).max(64), accepted: z.boolean() })
export const LicenceReply = z.object({ engine_id: z.string(), accepted: z.boolean() })
export const LicenceSetReply = LicenceReply.extend({ ok: z.literal(true) })
export const InstallReply = z.object({
  status: z.enum(['install_started', 'already_running', 'started']),
  repo_id: z.string(),
  target: z.string().optional(),
})
export type InstallReply = z.output<typeof InstallReply>
export const CancelBody = z.strictObject({
  repo_id: z.string().max(200),
  /** `local` or the id of a machine; every machine without it. */
  target: z.string().min(1).max(64).nullish(),
})
export const NextBody = z.strictObject({ repo_id: z.string().max(200), target: z.string().min(1).max(64).optional() })
export const CancelReply = z.object({ cancelling: z.string() })
export const NextReply = z.object({ next: z.string() })
export const RemoveReply = z.object({ deleted: z.literal(true), repo_id: z.string(), freed_bytes: z.number().int() })
export type RemoveReply = z.output<typeof RemoveReply>
