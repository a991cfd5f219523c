// A person or a program with keys of its own: its role and its limits.

/** In the order of their rights: each has those of the ones before it. control-plane/http/access/principals.ts lists them. */
export const PERSON_ROLES = ['listen', 'create', 'operate', 'own'] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** True for the roles that see the work of everybody. */
export const seesAll = (role: PersonRole): boolean => role === 'listen' || role === 'own'
/** True if `role` has fewer rights than `before`. */
export const isLower = (role: PersonRole, before: PersonRole): boolean => PERSON_ROLES.indexOf(role) < PERSON_ROLES.indexOf(before)

/** Beginning of every key of a person. */
export const KEY_PREFIX = 'svk_'

export const PERSON_KINDS = ['person', 'program'] as const
export type PersonKind = (typeof PERSON_KINDS)[number]

/** Null: without limit. Days and months are those of the time zone of the studio. */
export type PersonLimits = {
  readonly sound_minutes_a_day: number | null
  readonly gpu_minutes_a_month: number | null
  readonly tasks_at_once: number | null
  /** Takes, projects, films and uploads. */
  readonly disk_bytes: number | null
  /** Ids of the machines that may run its tasks; `local` is that of the studio. Null: all. */
  readonly machines: readonly string[] | null
}
export const NO_LIMITS: PersonLimits = {
  sound_minutes_a_day: null,
  gpu_minutes_a_month: null,
  tasks_at_once: null,
  disk_bytes: null,
  machines: null,
}
