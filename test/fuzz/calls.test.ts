import { test } from 'node:test'
import { answersToTheStudio, callsToTheAgent, callsToTheStudio } from './calls.ts'

test('no call of an authorised studio harms the agent', (t) => callsToTheAgent(t, 25))
test("no call of an unauthenticated client harms the studio's enrolment server", (t) => callsToTheStudio(t, 40))
test('no response of an agent harms the studio', (t) => answersToTheStudio(t, 50))
