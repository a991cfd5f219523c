import { test } from 'node:test'
import { answersToTheStudio, callsToTheAgent, callsToTheStudio } from './calls.ts'

test('no call of a studio that is known harms the agent', (t) => callsToTheAgent(t, 25))
test('no call of a stranger harms the enrolment of the studio', (t) => callsToTheStudio(t, 40))
test('no answer of an agent harms the studio', (t) => answersToTheStudio(t, 50))
