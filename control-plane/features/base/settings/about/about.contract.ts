// The changelog, and the backups of the database.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Changelog = z
  .object({
    available: z.boolean(),
    releases: z.array(
      z.object({
        version: z.string(),
        date: z.string(),
        intro: z.string(),
        sections: z.array(z.object({ title: z.string(), bullets: z.array(z.string()) })),
      }),
    ),
  })
  .meta({ id: 'Changelog' })
const Backups = z
  .object({
    available: z.boolean(),
    latest: z.object({ path: z.string(), created_at: z.number(), size_bytes: z.int() }).nullable(),
    count: z.int(),
    keep: z.int(),
  })
  .meta({ id: 'DatabaseBackups' })
const count = z.coerce.number().int().min(1).max(50)
const access = 'admin' as const

export const aboutContracts = {
  changelog: contract({
    id: 'settings.readChangelog',
    method: 'GET',
    path: '/api/settings/changelog',
    access,
    summary: 'Returns the newest releases of the changelog.',
    // Newer clients send the second name.
    query: z.strictObject({ limit: count.optional(), limit_versions: count.optional() }),
    reply: Changelog,
  }),
  backups: contract({
    id: 'settings.readDatabaseBackups',
    method: 'GET',
    path: '/api/settings/db-backup',
    access: 'own',
    summary: 'Returns the newest backup of the database that was made before a migration.',
    reply: Backups,
  }),
}
