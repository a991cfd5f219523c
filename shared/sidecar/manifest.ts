// The manifest of an installed sidecar: <data folder>/sidecars/<engine>/sidecar.json, beside the sidecar's own files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '#shared/runtime/file.ts'
import { SidecarManifest } from './messages.ts'

const NAME = 'sidecar.json'

/** `manifest` is null when the file is missing or invalid; `error` is the reason for an invalid one. */
export function readSidecarManifest(folder: string, engine: string): { manifest: SidecarManifest | null; error: string | null } {
  let text: string
  try {
    text = readFileSync(join(folder, engine, NAME), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { manifest: null, error: code === 'ENOENT' || code === 'ENOTDIR' ? null : `${NAME} cannot be read (${code})` }
  }
  try {
    const parsed = SidecarManifest.safeParse(JSON.parse(text))
    if (!parsed.success) return { manifest: null, error: `${NAME}: ${parsed.error.issues[0]?.path.join('.')} is wrong` }
    if (parsed.data.engine !== engine) return { manifest: null, error: `${NAME} names another engine` }
    return { manifest: parsed.data, error: null }
  } catch {
    return { manifest: null, error: `${NAME} is not JSON` }
  }
}

export const writeSidecarManifest = (folder: string, manifest: SidecarManifest): void =>
  writeAtomic(join(folder, NAME), `${JSON.stringify(manifest, null, 2)}\n`)
