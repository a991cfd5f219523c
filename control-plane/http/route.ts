// Answers in the old form, with headers made by a service, until no service makes them.
import type { Content } from './respond.ts'

export type { Upload } from './form.ts'
export type Bytes = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array | string> | Uint8Array
}

export function contentOf({ headers, body }: Bytes): Content {
  const { 'content-type': type = '', ...rest } = headers
  return { type, body, headers: rest }
}
