import assert from 'node:assert/strict'
import { test } from 'node:test'
import { releasesOf } from '#control-plane/features/base/settings/about/changelog.rules.ts'

test('a changelog is read as releases with sections; empty sections are left out', () => {
  const text = `# Changelog

Words.

## [Unreleased]

### Added

- not yet

## [1.2.0] — 2026-03-04

First paragraph
of two lines.

Second paragraph.

### Added

- One \`thing\`
  on two lines.
* Another.

### Empty

### Fixed

words that are no bullet
- A fault.

## 1.1.0-beta.1 (2026-01-01)

## nonsense
`
  const released = [
    {
      version: '1.2.0',
      date: '2026-03-04',
      intro: 'First paragraph of two lines.\n\nSecond paragraph.',
      sections: [
        { title: 'Added', bullets: ['One `thing` on two lines.', 'Another.'] },
        { title: 'Fixed', bullets: ['A fault.'] },
      ],
    },
    { version: '1.1.0-beta.1', date: '2026-01-01', intro: '', sections: [] },
  ]
  assert.deepEqual(releasesOf(text, '1.2.0'), released, 'unreleased changes come after the version that runs')
  const current = { version: '1.3.0', date: '', intro: '', sections: [{ title: 'Added', bullets: ['not yet'] }] }
  assert.deepEqual(releasesOf(text, '1.3.0'), [current, ...released], 'unreleased changes are in the version that runs')
  assert.deepEqual(releasesOf('', '1.3.0'), [])
})
