// The self-check of the studio, and the bundle for a report about a problem.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'

const flag = booleanText()
const CheckRow = z.object({
  id: z.string(),
  label: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  hint: z.string().nullable(),
})
export type CheckRow = z.output<typeof CheckRow>
const Report = z
  .object({
    app_version: z.string(),
    platform: z.string(),
    checks: z.array(CheckRow),
    summary: z.object({ ok: z.boolean(), passed: z.int(), warnings: z.int(), failures: z.int() }),
  })
  .meta({ id: 'SelfCheck' })
export type SelfCheck = z.output<typeof Report>

export const diagnoseContracts = {
  diagnose: contract({
    id: 'system.diagnose',
    method: 'GET',
    path: '/system/diagnose',
    access: 'admin',
    summary:
      'Checks this installation; the report contains no private data. network=true asks the model server and takes up to five seconds; deep=true synthesises a sentence.',
    query: z.object({ network: flag.default(true), deep: flag.default(false) }),
    reply: Report,
  }),
  writeBundle: contract({
    id: 'system.writeBundle',
    method: 'POST',
    path: '/system/diagnostic-bundle',
    access: 'admin',
    summary: 'Writes a zip file with the self-check, the journal of errors and the newest log lines, without private data.',
    query: z.object({ network: flag.default(false) }),
    reply: z.object({ path: z.string(), filename: z.string() }).meta({ id: 'DiagnosticBundle' }),
  }),
}
