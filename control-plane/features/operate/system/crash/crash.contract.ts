// The record of an unexpected end of the last run, the mark in the crash log, and the newest errors of requests.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { JournalEntry } from '#control-plane/observe/error-journal.ts'
import { CrashRecord } from '#control-plane/observe/run-record.ts'

const access = 'admin' as const

export const crashContracts = {
  readLastRunCrash: contract({
    id: 'system.readLastRunCrash',
    method: 'GET',
    path: '/system/last-run-crash',
    access,
    summary: 'Returns the newest record of a run of this version that did not end by itself, and whether it was acknowledged.',
    reply: z.object({ record: CrashRecord.nullable(), acknowledged: z.boolean() }).meta({ id: 'LastRunCrash' }),
  }),
  acknowledgeLastRunCrash: contract({
    id: 'system.acknowledgeLastRunCrash',
    method: 'POST',
    path: '/system/last-run-crash/ack',
    access,
    summary: 'Marks the newest record as seen.',
    reply: z.object({ ok: z.literal(true) }).meta({ id: 'CrashSeen' }),
  }),
  acknowledgeCrashLog: contract({
    id: 'system.acknowledgeCrashLog',
    method: 'POST',
    path: '/system/crash/ack',
    access,
    summary: 'Marks the present content of the crash log as seen.',
    reply: z.object({ acked_size: z.int() }).meta({ id: 'CrashLogSeen' }),
  }),
  listErrors: contract({
    id: 'system.listErrors',
    method: 'GET',
    path: '/system/errors/recent',
    access,
    summary: 'Lists the newest kinds of errors with their counts, without private data.',
    query: z.object({ limit: z.coerce.number().int().min(1).max(50).default(20) }),
    reply: z.object({ errors: z.array(JournalEntry), count: z.int() }).meta({ id: 'RecentErrors' }),
  }),
}
