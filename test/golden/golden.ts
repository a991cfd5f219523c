// Reads the golden values of this folder.
import { readFileSync } from 'node:fs'

export const goldenBytes = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))
/** The type is that of the file; a wrong one fails the test that reads it. */
export const golden = <T>(name: string): T => JSON.parse(goldenBytes(name).toString('utf8')) as T
