import { test } from 'node:test'
import { mutatedConnectionStrings, mutatedJoinCodes } from './properties.ts'

test('no text crashes or stalls the parser of join codes', (t) => mutatedJoinCodes(t, 2_000))
test('no text crashes or stalls the parser of connection strings', (t) => mutatedConnectionStrings(t, 2_000))
