// The random tests of test/fuzz with a hundred thousand inputs for the messages and for each token.
import { test } from 'node:test'
import { mutatedConnectionStrings, mutatedJoinCodes, mutatedMessages, wireAndDecoderAgree } from '../fuzz/properties.ts'

test('100,000 damaged messages', (t) => mutatedMessages(t, 100_000))
test('5,000 valid messages of each kind', (t) => wireAndDecoderAgree(t, 5_000))
test('100,000 damaged join codes', (t) => mutatedJoinCodes(t, 100_000))
test('100,000 damaged connection strings', (t) => mutatedConnectionStrings(t, 100_000))
