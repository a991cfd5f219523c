// The server for recognition that the owner has named, if any: <data folder>/sidecars/.recognition.json. The studio writes it, an engine host
// of this machine reads it with each run; it holds a key, so only its owner may read it, and it is never a message on a link.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const NAME = '.recognition.json' // no sidecar has a name that begins with a dot

export const Endpoint = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    // An address with a name and a password in it would be a second place for secrets.
    .refine((url) => URL.parse(url)?.username === '' && URL.parse(url)?.password === '', 'must not carry a password'),
  model: z.string().min(1).max(200),
  apiKey: z
    .string()
    .max(1_000)
    .regex(/^[\x21-\x7e]*$/, 'visible ASCII only'),
})
export type Endpoint = z.output<typeof Endpoint>

/** Null where none is named, or what is written there cannot be understood. */
export function readEndpoint(folder: string): Endpoint | null {
  try {
    return Endpoint.safeParse(JSON.parse(readFileSync(join(folder, NAME), 'utf8'))).data ?? null
  } catch {
    return null
  }
}

export function writeEndpoint(folder: string, endpoint: Endpoint | null): void {
  if (endpoint === null) rmSync(join(folder, NAME), { force: true })
  else writeAtomic(join(privateFolder(folder), NAME), JSON.stringify(endpoint))
}
