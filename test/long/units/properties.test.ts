// Properties of unit tests with more cases than the suite has.
import { test } from 'node:test'
import { createScrub } from '#control-plane/observe/scrub.ts'
import { scrubsInLinearTime } from '#test/control-plane/observe/hostile/hostile-text.ts'
import { findsNothing } from '#test/shared/audio/mark/searches.ts'

const scrub = createScrub({ home: '/home/some.person', secrets: () => ['plain words of a secret'], hosts: () => ['attic-server'] })

test('the scrubber takes less than two seconds for a megabyte of hostile text', () => scrubsInLinearTime(scrub, 1_000_000))
test('two thousand searches of unmarked audio find nothing', () => findsNothing(100))
