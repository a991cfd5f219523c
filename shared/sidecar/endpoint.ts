// The recognition server that the owner configured, in <data folder>/sidecars/.recognition.json. The studio writes it, and an engine host of
// this machine reads it for each run. It contains a key, so the file is private and never sent over a link.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const NAME = '.recognition.json' // no sidecar name begins with a dot

export const Endpoint = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    // The key is the only place for a secret.
    .refine((url) => URL.parse(url)?.username === '' && URL.parse(url)?.password === '', 'must not contain a password'),
  model: z.string().min(1).max(200),
  apiKey: z
    .string()
    .max(1_000)
    .regex(/^[\x21-\x7e]*$/, 'visible ASCII only'),
})
export type Endpoint = z.output<typeof Endpoint>

/** Null when none is configured or the file is invalid. */
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
