import { z } from 'zod'
import { OriginSecret } from '#control-plane/store/origin-secret.ts'
import { setting } from '#control-plane/store/setting.ts'

export const PROBE_ERRORS = ['timeout', 'dns', 'tls', 'refused', 'unreachable', 'invalid_endpoint'] as const
export const ServerProbe = z.object({
  endpoint: z.string().max(2048),
  reachable: z.boolean(),
  latency_ms: z.number().nullable(),
  error: z.enum(PROBE_ERRORS).nullable(),
})
export const RaceResult = z.object({
  endpoint: z.string().max(2048),
  reachable: z.boolean(),
  latency_ms: z.number().nullable(),
  /** Epoch seconds. */
  checked_at: z.number(),
  results: z.array(ServerProbe).max(8),
})
export type RaceResult = z.output<typeof RaceResult>

export const hubSettings = {
  token: setting({
    key: 'hub.token',
    access: 'own',
    schema: OriginSecret.nullable(),
    fallback: null,
    summary: 'The token for downloads from the model hub, and the server that it is for.',
    secret: true,
  }),
  mirror: setting({
    key: 'hub.mirror',
    access: 'own',
    schema: z.strictObject({ url: z.string().max(2048), mode: z.enum(['auto', 'manual']) }),
    fallback: { url: '', mode: 'manual' as const },
    summary: 'The server of the models: manual uses the address (empty for the usual server), auto the one that answered fastest.',
    changedBy: 'Choose the mirror in the settings, which checks the address.',
  }),
  race: setting({
    key: 'hub.mirror_race',
    access: 'own',
    schema: RaceResult.nullable(),
    fallback: null,
    summary: 'The result of the newest comparison of model servers; used for seven days.',
    changedBy: 'Compare the servers in the settings.',
  }),
}
/** A change of these changes where models come from. */
export const OWN_SOURCE_KEYS: ReadonlySet<string> = new Set(Object.values(hubSettings).map(({ key }) => key))
