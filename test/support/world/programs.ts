// A PATH of fake programs: folders with small shell scripts and links to the few real programs they need.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '#shared/runtime/program.ts'

/** Fills `folder` with shell scripts by name (their bodies) and with links to the named real programs; returns the folder. */
export function programFolder(folder: string, scripts: Readonly<Record<string, string>>, real: readonly string[]): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  for (const name of real) {
    const found = findProgram(name, process.env.PATH)
    if (!found) throw new Error(`this machine has no ${name}`)
    symlinkSync(found, join(folder, name))
  }
  return folder
}
