// Jobs that are killed at every write. The suite kills them at each third one.
import { test } from 'node:test'
import { killedBatch } from '#test/control-plane/areas/dubbing/kills/batch.ts'
import { killedPrep } from '#test/control-plane/areas/dubbing/kills/prep.ts'
import { killedSpeakers } from '#test/control-plane/areas/dubbing/transcribe/speakers/killed.ts'
import { killedAtWrites, killedByChance } from '#test/control-plane/jobs/kills/kills.ts'

test('a job', (t) => killedAtWrites(t, 1))
test('two jobs with shared steps, 400 random runs', (t) => killedByChance(t, 400))
test('the preparation of a dub', (t) => killedPrep(t, 1))
test('an item of a batch', (t) => killedBatch(t, 1))
test('the speakers of a long film', (t) => killedSpeakers(t, 1))
