// The version, and what changed in the newest ones.

import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.about

export function About() {
  const system = useRead('/system/info')
  const changes = useRead('/api/settings/changelog')
  return (
    <>
      {(system.error || changes.error) && (
        <p class="callout bad text" role="alert">
          {system.error || changes.error}
        </p>
      )}
      {system.value && (
        <p>
          <b>{words.version(system.value.app_version)}</b>{' '}
          <span class="soft">{[system.value.platform, system.value.arch].join(' · ')}</span>
        </p>
      )}
      {changes.value?.releases.length === 0 && <p class="soft">{words.none}</p>}
      {changes.value?.releases.slice(0, 5).map(({ version, date, sections }) => (
        <details key={version}>
          <summary>{words.release(version, date)}</summary>
          {sections.map(({ title, bullets }) => (
            <>
              <h3 key={title}>{title}</h3>
              <ul>
                {bullets.map((one) => (
                  <li key={one} class="text">
                    {one}
                  </li>
                ))}
              </ul>
            </>
          ))}
        </details>
      ))}
      <p class="row">
        <a href="/docs">{words.reference}</a>
      </p>
    </>
  )
}
