// Jobs that are killed at every write, where the suite kills them at some, and programs that are killed at every kind of write.
import { test } from 'node:test'
import { stoppedStudio } from '#test/chaos/stopped-studio.ts'
import { killedBatch } from '#test/control-plane/features/dubbing/kills/batch.ts'
import { killedPrep } from '#test/control-plane/features/dubbing/kills/prep.ts'
import { killedSpeakers } from '#test/control-plane/features/dubbing/lines/transcribe/speakers/killed.ts'
import { killedAtWrites, killedByChance } from '#test/control-plane/jobs/kills/kills.ts'
import { ALL_STAGES, killedAtStages } from '#test/scenarios/longform/kills/book.ts'
import { ALL_KILLS, killedAfterEvents } from '#test/scenarios/voices/kills/voices.ts'
import { openWorld } from '#test/support/world/world.ts'

test('a job', (t) => killedAtWrites(t, 1))
test('two jobs with shared steps, 400 random runs', (t) => killedByChance(t, 400))
test('the preparation of a dub', (t) => killedPrep(t, 1))
test('an item of a batch', (t) => killedBatch(t, 1))
test('the speakers of a long film', (t) => killedSpeakers(t, 1))
test('a book, at each file that it writes', async (t) => killedAtStages(await openWorld(t), ALL_STAGES))
test('a studio, while voices change', async (t) => killedAfterEvents(t, await openWorld(t), ALL_KILLS))
test('a studio, with 50 tasks in flight', (t) => stoppedStudio(t, 50))
