// The changelog at a release: its unreleased section becomes the section of the version, and is the text of the release notes. Pure.
const UNRELEASED = '## Unreleased'
const HEADING = /^## /m

export type Released = {
  /** The whole changelog, with the section of the version in the place of the unreleased one. */
  readonly text: string
  /** The section without its heading. */
  readonly section: string
}

/** `date`: such as 2026-11-30. Throws for a changelog without lines for this version, and for one that has a section of it. */
export function releaseChangelog(changelog: string, version: string, date: string): Released {
  if (changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `)))
    throw new Error(`CHANGELOG.md has a section ${version} already.`)
  const start = changelog.indexOf(`\n${UNRELEASED}\n`) + 1
  if (start === 0) throw new Error(`CHANGELOG.md has no section Unreleased. Write one for ${version} first.`)
  const after = start + UNRELEASED.length + 1
  const next = changelog.slice(after).search(HEADING)
  const end = next < 0 ? changelog.length : after + next
  const section = changelog.slice(after, end).trim()
  if (section === '') throw new Error(`The section Unreleased of CHANGELOG.md is empty. Say in it what ${version} changes.`)
  const heading = `## ${version} (${date})`
  const rest = changelog.slice(end).trimEnd()
  return { text: `${[`${changelog.slice(0, start)}${heading}`, section, ...(rest === '' ? [] : [rest])].join('\n\n')}\n`, section }
}

type Notes = { readonly version: string; readonly section: string; readonly commit: string; readonly publicKey: string | null }

/** Text beside the packages, for the page of the release. */
export const releaseNotes = ({ version, section, commit, publicKey }: Notes): string =>
  `# Voice Studio ${version}

Commit ${commit}. \`SHA256SUMS\` has the digests of all files of this release${publicKey === null ? '' : ', and `SHA256SUMS.sig` is its Ed25519 signature'}.
docs/releasing.md says how they are verified.
${publicKey === null ? '' : `\n${publicKey}\n`}
${section}
`
