// A job type whose steps wait until the test lets them go.

import { z } from 'zod'
import { type JobFrame, type JobTypeRow, jobType, type StepContext, type StepOutput, type StepPlan } from '#control-plane/jobs/job-type.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

const OUTPUT: StepOutput = { json: { ok: true }, digest: null, bytes: 0 }
const Params = z.object({ names: z.array(z.string().max(100)).max(1000), shared: z.string().optional() })
export type Params = z.output<typeof Params>

/** The events of a type of job that may send any. */
export const ANY_EVENT = z.looseObject({ type: z.string() }) as unknown as z.ZodType<JobFrame>

/** Steps wait until the test lets them go; an aborted one rejects. */
export function stage() {
  const begun: { readonly name: string; readonly context: StepContext<JobFrame>; readonly go: (error?: Error) => void }[] = []
  const type = (row: Partial<JobTypeRow<Params>> = {}) =>
    jobType({
      type: 'test',
      params: Params,
      events: ANY_EVENT,
      steps: ({ names, shared }) => names.map((name) => [stepOf(name, shared)]),
      concurrency: 2,
      onRestart: 'resume',
      ...row,
    })
  const stepOf = (name: string, shared?: string, more: Partial<StepPlan<JobFrame>> = {}): StepPlan<JobFrame> => ({
    name,
    output: z.object({ ok: z.boolean() }),
    key: { kind: 'wait', version: 1, inputs: [], params: { name, shared } },
    run: (context) =>
      new Promise((resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason))
        begun.push({ name, context, go: (error) => (error ? reject(error) : resolve(OUTPUT)) })
      }),
    ...more,
  })
  const next = async (name: string) => {
    for (let turns = 0; turns < 1000; turns++) {
      const index = begun.findIndex((each) => each.name === name)
      if (index >= 0) return begun.splice(index, 1)[0]!
      await nextTurn()
    }
    throw new Error(`${name} does not begin`)
  }
  return { begun, type, stepOf, next }
}
/** Stored events as clients parse them. */
export const framesOf = (payloads: readonly { readonly payload: string }[]) =>
  payloads.map(({ payload }) => JSON.parse(payload.slice('data: '.length)) as { type: string; n?: number })
