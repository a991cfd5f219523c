// A separate file system that can be full, read-only or missing, for tests that run where mounting is permitted.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const mountAt = (folder: string, options: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'ignore' })
function mount(options: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-disk-'))
  try {
    mountAt(folder, options)
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

/** Puts a small disk over a folder that exists, in place of what is in it, until the returned function or the end of the test. */
export function coveredByDisk(t: TestContext, folder: string, options: string): () => void {
  mountAt(folder, options)
  let isOver = false
  const uncover = () => {
    if (!isOver) execFileSync('umount', ['-l', folder])
    isOver = true
  }
  t.after(uncover)
  return uncover
}
