import { z } from 'zod'
import { JOIN_WAYS } from '#shared/protocol/codes/join-code.ts'
import { characters } from '#shared/protocol/fields/characters.ts'
import { ENDPOINT_LIMITS } from '#shared/protocol/messages.ts'

const Gpu = z.object({
  vendor: z.string(),
  model: z.string(),
  backend: z.string(),
  memory_bytes: z.number(),
  free_memory_bytes: z.number(),
  driver_version: z.string(),
  compute_capability: z.string(),
})
const Host = z.union([
  z.object({
    hostname: z.string(),
    os: z.string(),
    arch: z.string(),
    worker_version: z.string(),
    /** Extension: the version of the machine is older than that of the studio. */
    outdated: z.boolean().optional(),
    cpu_count: z.number(),
    system_memory_bytes: z.number(),
    gpus: z.array(Gpu),
    /**
     * Extension: GPUs that are present but that no engine can use. `reason`: end of a sentence. `code` and `fix`: the cause for programs, and what its
     * owner does; older agents send neither.
     */
    unusable_gpus: z.array(z.object({ model: z.string(), reason: z.string(), code: z.string().optional(), fix: z.string().optional() })),
  }),
  z.object({}),
])
const Terms = z.object({ operator: z.string(), places: z.array(z.string()), reads_inputs: z.boolean() })
/** A pool as its operator declares it. */
const Pool = z.object({
  name: z.string(),
  operator: z.string(),
  /** E-mail or web address as text; empty for none. */
  contact: z.string(),
  places: z.array(z.string()),
  /** True if the operator can read texts and recordings while they are worked on. */
  reads_inputs: z.boolean(),
  /** Kept after a job; empty for nothing. */
  keeps: z.string(),
  machines: z.int(),
  /** Versions of its machines, empty for none, and the number of machines that are older than the newest. */
  newest_version: z.string(),
  oldest_version: z.string(),
  older: z.int(),
  /** Digest of operator, places and reads_inputs, for the approval of these terms. */
  terms: z.string(),
})
const record = {
  id: z.string(),
  name: z.string(),
  key_id: z.string(),
  enabled: z.boolean(),
  revoked: z.boolean(),
  priority: z.int(),
  endpoint: z.string(),
  host: Host,
  max_concurrent_tasks: z.int(),
  consent_granted: z.boolean(),
  /** Extension: why the machine is refused until a person decides. */
  quarantine: z.string().nullable(),
  created_at: z.number(),
  last_seen_at: z.number().nullable(),
  /** Extension: the pool that it declares itself to be; null for a single machine. */
  pool: Pool.nullable(),
  /**
   * Extension: why its approval no longer counts, until it is approved again: what differs from the terms that were approved, and these; null for a
   * single machine. `kind`: a pool that is none any more, or the reverse. Null if the approval was not ended this way.
   */
  lapsed: z.object({ changed: z.array(z.enum(['kind', 'operator', 'places', 'reads_inputs'])), was: Terms.nullable() }).nullable(),
}
export const WorkerRecord = z.object(record).meta({ id: 'Worker' })
export type WorkerRecord = z.output<typeof WorkerRecord>
export const Status = z.enum(['ready', 'busy', 'offline'])
const Breaker = z.object({
  worker_id: z.string(),
  model_key: z.string(),
  state: z.enum(['closed', 'open', 'half_open']),
  trips: z.int(),
  retry_at: z.number().nullable(),
  summary: z.string(),
})
export const LiveWorker = z
  .object({
    ...record,
    connected: z.boolean(),
    breakers: z.array(Breaker),
    /** True if it accepts no new tasks. */
    draining: z.boolean().optional(),
    /** Extension: whether it is because of this studio; otherwise its owner ends it. */
    drained: z.boolean().optional(),
    latency_ms: z.number().optional(),
    address: z.string().optional(),
    status: Status.optional(),
    active_tasks: z.int().optional(),
    available_slots: z.int().optional(),
    resident_models: z.array(z.string()).optional(),
    stale: z.boolean().optional(),
  })
  .meta({ id: 'LiveWorker' })
export const Fleet = z
  .object({
    enabled: z.boolean(),
    running: z.boolean(),
    startup_error: z.string().nullable().optional(),
    endpoint: z.string().optional(),
    fingerprint: z.string().optional(),
    queue_depth: z.int(),
    workers: z.array(LiveWorker),
  })
  .meta({ id: 'Workers' })
export type Fleet = z.output<typeof Fleet>

export const PoolView = z
  .object({
    /** Newest state of each machine, by name; empty while the pool is not connected. */
    machines: z.array(
      z.object({
        name: z.string(),
        gpu: z.string(),
        version: z.string(),
        state: z.enum(['ready', 'busy', 'draining', 'offline']),
        permits: z.int(),
        busy: z.int(),
      }),
    ),
    /** Attempts of this studio and of others, free permits, studios at work, and the median wait of this studio's attempts; null if not known. */
    use: z.object({ own: z.int(), others: z.int(), free: z.int(), studios: z.int(), wait_ms: z.int() }).nullable(),
  })
  .meta({ id: 'PoolView' })
export type PoolView = z.output<typeof PoolView>

const Target = z.object({
  id: z.string(),
  label: z.string(),
  endpoint: z.string(),
  connected: z.boolean(),
  available: z.boolean(),
  detail: z.string(),
  is_local: z.boolean(),
  status: Status,
  latency_ms: z.number(),
  active_tasks: z.int(),
  max_tasks: z.int(),
  /** Extension: its engines and operations, as `engine operation`. */
  can: z.array(z.string()),
})
export const TargetView = z
  .object({
    target: z.string(),
    op: z.string(),
    active: z.object({ remote: z.boolean(), worker_id: z.string().nullable(), label: z.string(), reason: z.string() }),
    remote_operations: z.array(z.string()),
    targets: z.array(Target),
  })
  .meta({ id: 'WorkerTarget' })
export type TargetView = z.output<typeof TargetView>

export const Enrollment = z
  .object({
    token: z.string(),
    endpoint: z.string(),
    fingerprint: z.string(),
    expires_at: z.number(),
    shown_once: z.literal(true),
    /** Lines for the other machine, each with CODE in the place of the token. The first is the shortest way. */
    commands: z.array(z.object({ way: z.enum(JOIN_WAYS), line: z.string() })),
  })
  .meta({ id: 'Enrollment' })

const Named = z.object({ id: z.string(), name: z.string() })
export const EndpointsBody = z.strictObject({
  endpoints: z.array(z.string().trim().min(1).max(ENDPOINT_LIMITS.chars)).max(ENDPOINT_LIMITS.count),
})
export const EndpointsReply = z
  .object({
    /** HOST:PORT, best first; empty if the owner has named none. */
    endpoints: z.array(z.string()),
    /** The address of this machine, for join codes without named ones. */
    own: z.string(),
    /** Machines that have not received the named addresses since the studio started. */
    behind: z.array(Named),
  })
  .meta({ id: 'WorkerEndpoints' })

export const AuthorityReply = z
  .object({
    phase: z.enum(['steady', 'prepared', 'activated']),
    fingerprint: z.string(),
    next_fingerprint: z.string().nullable(),
    previous_fingerprint: z.string().nullable(),
    expires_at: z.number(),
    /** Machines that have not renewed their certificate since the last step. Retiring waits for them. */
    behind: z.array(Named),
    /** Machines that trust only the authority that is being retired, or was just retired. */
    must_join_again: z.array(Named),
  })
  .meta({ id: 'WorkerAuthority' })
export type AuthorityReply = z.output<typeof AuthorityReply>

/** `terms`: those that the person was shown, see `pool`; empty for a single machine, absent for a caller that shows none. */
export const ConsentQuery = z.strictObject({ terms: z.string().max(64).optional() })
export const WorkerPath = z.strictObject({ worker_id: z.string().min(1).max(64) })
const name = (max: number) => characters(max).refine((text) => !/[\0\r\n]/.test(text) && text.isWellFormed(), 'must be one line of text')
export const PatchBody = z.strictObject({
  name: name(120).nullish(),
  enabled: z.boolean().nullish(),
  priority: z.int().min(0).max(100).nullish(),
})
export const DrainBody = z.strictObject({
  drain: z.boolean().default(true),
  /** Seconds until running tasks are stopped; 0: no limit. */
  deadline_seconds: z.number().min(0).max(3600).default(0),
})
export const EnrollmentBody = z.strictObject({
  label: name(120).default(''),
  endpoint: z.string().max(256).default(''),
  ttl_seconds: z.int().min(60).max(86_400).default(900),
})
