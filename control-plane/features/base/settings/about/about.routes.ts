import { readFileSync } from 'node:fs'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { BACKUPS_KEPT, listBackups } from '#control-plane/store/files/backup.ts'
import { aboutContracts } from './about.contract.ts'

type Deps = { readonly version: string; readonly changelogPath: string; readonly databasePath: string }
const USUAL_RELEASES = 5

export const aboutRoutes = ({ version, changelogPath, databasePath }: Deps): Route[] => [
  handle(aboutContracts.changelog, ({ query }) => {
    const { limit_versions, limit = USUAL_RELEASES } = query
    return changelog(changelogPath, version, limit_versions ?? limit)
  }),
  handle(aboutContracts.backups, () => backups(databasePath)),
]

async function changelog(path: string, version: string, limit: number) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return { available: false, releases: [] }
  }
  const { releasesOf } = await import('./changelog.rules.ts')
  const releases = releasesOf(text, version).slice(0, limit)
  return {
    available: true,
    releases: releases.map(({ sections, ...release }) => ({
      ...release,
      sections: sections.map(({ title, bullets }) => ({ title, bullets: [...bullets] })),
    })),
  }
}

function backups(path: string) {
  const found = listBackups(path)
  const [newest] = found
  return {
    available: newest !== undefined,
    latest: newest ? { path: newest.path, created_at: newest.createdAt / 1000, size_bytes: newest.bytes } : null,
    count: found.length,
    keep: BACKUPS_KEPT,
  }
}
