// A PATH of fake programs: folders with small shell scripts and links to the few real programs they need.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'

let shared: string | null = null
/** A PATH for `sharedWorld`: one folder for all files of a process, empty at first. Each file puts what it needs there. */
export function sharedPrograms(): string {
  if (shared !== null) return shared
  const made = mkdtempSync(join(tmpdir(), 'studio-programs-'))
  after(() => rmSync(made, { recursive: true, force: true }))
  shared = made
  return made
}

/** Fills `folder` with shell scripts by name (their bodies) and with links to the named real programs; returns the folder. */
export function programFolder(folder: string, scripts: Readonly<Record<string, string>>, real: readonly string[]): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  for (const name of real) {
    const found = findProgram(name, process.env['PATH'])
    if (!found) throw new Error(`this machine has no ${name}`)
    symlinkSync(found, join(folder, name))
  }
  return folder
}
