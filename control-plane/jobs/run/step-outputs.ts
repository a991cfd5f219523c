// The outputs of steps in the forms that the steps declare. Outputs outlive an update of the studio, so one that was stored is foreign input.
import type { z } from 'zod'
import type { JobFrame, StepOutcomes, StepOutput, StepPlan } from '../job-type.ts'

/** Parsed outputs, so that the next reader need not parse them. */
const parsed = new WeakMap<StepOutput, { readonly form: z.ZodType; readonly value: unknown }>()

/** The output in the form of its step. Throws for one that the step has made wrong. */
export const madeOutput = ({ output: form }: StepPlan<JobFrame>, { json, digest, bytes }: StepOutput): StepOutput =>
  remembered(form, { json: form.parse(json), digest, bytes })

/** A stored output in the form of its step; null if it does not have it. */
export function storedOutput({ output: form }: StepPlan<JobFrame>, { json, digest, bytes }: StepOutput): StepOutput | null {
  const { success, data } = form.safeParse(json)
  return success ? remembered(form, { json: data, digest, bytes }) : null
}

/** The JSON of the output of the step with this name, which declares this form; undefined while it has none. */
export function readOutput<T>({ outputs }: Pick<StepOutcomes, 'outputs'>, name: string, form: z.ZodType<T>): T | undefined {
  const output = outputs.get(name)
  if (!output) return undefined
  const known = parsed.get(output)
  return known?.form === form ? (known.value as T) : form.parse(output.json)
}

function remembered(form: z.ZodType, output: StepOutput): StepOutput {
  parsed.set(output, { form, value: output.json })
  return output
}
