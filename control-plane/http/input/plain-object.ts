// The schema of a JSON object whose fields are not looked at one by one: for objects that may have a million of them.
import { z } from 'zod'

type Fields = Record<string, unknown>
type Options = {
  readonly message: string
  /** The JSON schema of each field, for the API reference. */
  readonly values: Readonly<Record<string, unknown>>
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `isValid` is called with an object only; a refusal is one issue with the message. */
export const plainObject = (
  isValid: (fields: Fields) => boolean = () => true,
  { message, values }: Options = { message: 'Input should be an object', values: {} },
) =>
  z
    .unknown()
    .check(({ value, issues }) => {
      if (!isObject(value)) issues.push({ code: 'invalid_type', expected: 'object', input: value, message })
      else if (!isValid(value)) issues.push({ code: 'custom', input: value, message })
    })
    .transform((value) => value as Fields)
    .meta({ type: 'object', additionalProperties: values })
