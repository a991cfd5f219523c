// The form of a setting's value, read from its declaration: for the controls of a page, and for the sentence of a refusal. Pure.
import { z } from 'zod'
import type { Setting } from '#control-plane/store/setting.ts'

export const ValueForm = z.object({
  kind: z.enum(['switch', 'number', 'text', 'choice', 'other']),
  /** Lower bound of a number; null without one. */
  least: z.number().nullable(),
  most: z.number().nullable(),
  /** True if a number has no fraction. */
  is_whole: z.boolean(),
  /** Characters of a text; null without a bound. */
  longest: z.int().nullable(),
  choices: z.array(z.string()),
  /** True if null is a value. */
  is_optional: z.boolean(),
})
export type ValueForm = z.output<typeof ValueForm>

const Schema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
})

export function valueFormOf({ schema, secret }: Setting): ValueForm {
  const whole = Schema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const [value, ...others] = (whole.anyOf ?? []).filter(({ type }) => type !== 'null')
  const one = value && others.length === 0 ? Schema.parse(value) : whole
  const isNumber = one.type === 'number' || one.type === 'integer'
  return {
    // A secret is typed as a text; what is stored for it has another form.
    kind: secret
      ? 'text'
      : one.enum
        ? 'choice'
        : isNumber
          ? 'number'
          : one.type === 'boolean'
            ? 'switch'
            : one.type === 'string'
              ? 'text'
              : 'other',
    least: isNumber ? (one.minimum ?? null) : null,
    most: isNumber ? (one.maximum ?? null) : null,
    is_whole: one.type === 'integer',
    longest: one.maxLength ?? null,
    choices: one.enum ?? [],
    is_optional: one !== whole,
  }
}

/** Values that a setting takes, as a sentence without its key, which a page does not show. */
export function acceptedValues({ kind, least, most, is_whole, longest, choices, is_optional }: ValueForm): string {
  const bounds =
    least !== null && most !== null
      ? ` from ${least} to ${most}`
      : least !== null
        ? ` from ${least}`
        : most !== null
          ? ` up to ${most}`
          : ''
  const values = {
    switch: 'true or false',
    number: `a ${is_whole ? 'whole ' : ''}number${bounds}`,
    text: `a text${longest === null ? '' : ` of at most ${longest} characters`}`,
    choice: `one of ${choices.join(', ')}`,
    other: 'a value of the form of its default',
  }
  return `This setting takes ${values[kind]}${is_optional ? ', or null' : ''}.`
}
