// Every damaged file of the models that a native library opens. The suite has one of each kind.
import { test } from 'node:test'
import { rejectsDamaged as ofDictation } from '#test/agent/engine/asr/sherpa/damaged.ts'
import { rejectsDamaged as ofIdentification } from '#test/agent/engine/identify/whisper/damaged.ts'

test('dictation models', (t) => ofDictation(t))
test('recognisers that identify a language', (t) => ofIdentification(t))
