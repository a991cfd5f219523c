// A separate file system that can be full, read-only or missing, for tests that run where mounting is permitted.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

function mount(options: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'ignore' })
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  return folder
}
function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder])
  rmdirSync(folder)
}

export const mayMount: boolean = (() => {
  try {
    unmount(mount('size=1m'))
    return true
  } catch {
    return false
  }
})()

/** `options`: of mount, such as `size=6m`. Unmounted at the end of the test. */
export function smallDisk(t: TestContext, options: string): string {
  const folder = mount(options)
  t.after(() => unmount(folder))
  return folder
}
