// The events of a model that is downloaded or deleted, and those of the job that downloads it.
import { z } from 'zod'
import { JOB_ENDS } from '#control-plane/jobs/job-type.ts'

/** `target`: the machine. */
const MODEL = { repo_id: z.string(), target: z.string() }
const SUMS = { ...MODEL, filename: z.string(), downloaded: z.number(), total: z.number(), /** 0 to 1. */ pct: z.number() }
/** `rate`: bytes a second. */
const FILE = { ...SUMS, rate: z.number().exactOptional() }
const SHAPES = {
  install_start: SUMS,
  /** `step`: the number of these events of the installation so far. */
  resolving: { ...SUMS, step: z.int(), detail: z.string() },
  install_plan: {
    ...MODEL,
    filename: z.string(),
    total_bytes: z.number(),
    cached_bytes: z.number(),
    to_download_bytes: z.number(),
    n_files: z.int(),
    n_cached: z.int(),
  },
  start: FILE,
  progress: FILE,
  done: FILE,
  aggregate: {
    ...MODEL,
    bytes_done: z.number(),
    total_bytes: z.number(),
    rate: z.number(),
    eta_seconds: z.number().nullable(),
    files_done: z.int(),
    files_total: z.int(),
  },
  install_retry: { ...SUMS, attempt: z.int(), error: z.string() },
  install_done: SUMS,
  /** `code`: a code of docs/errors.md; `docs_topic`: a dialog of the client. */
  install_error: { ...SUMS, error: z.string(), code: z.string(), docs_topic: z.string().exactOptional() },
  install_cancelled: SUMS,
  delete_start: SUMS,
  delete_done: { ...SUMS, freed_bytes: z.number() },
  delete_error: { ...SUMS, error: z.string(), code: z.string() },
} as const
type Shapes = typeof SHAPES

const download = <P extends keyof Shapes>(phase: P) => z.strictObject({ phase: z.literal(phase), ...SHAPES[phase] })
/** An event of GET /setup/download-stream. */
export const DownloadEvent = z
  .discriminatedUnion('phase', [
    download('install_start'),
    download('resolving'),
    download('install_plan'),
    download('start'),
    download('progress'),
    download('done'),
    download('aggregate'),
    download('install_retry'),
    download('install_done'),
    download('install_error'),
    download('install_cancelled'),
    download('delete_start'),
    download('delete_done'),
    download('delete_error'),
  ])
  .meta({ id: 'DownloadEvent' })
export type DownloadEvent = z.output<typeof DownloadEvent>

const kept = <P extends keyof Shapes>(phase: P) => z.strictObject({ type: z.literal(phase), phase: z.literal(phase), ...SHAPES[phase] })
/** An event of the job of an installation: those of its download that stay of use, and its sums. */
export const InstallEvent = z
  .discriminatedUnion('type', [
    kept('install_start'),
    kept('install_plan'),
    kept('aggregate'),
    kept('install_retry'),
    kept('install_done'),
    kept('install_error'),
    kept('install_cancelled'),
    ...JOB_ENDS,
  ])
  .meta({ id: 'InstallEvent' })
export type InstallEvent = z.output<typeof InstallEvent>
