// Statements of the specification about the routes of dubbing, glossaries and the batch (its section 4.7 and facts 07), and the test of
// each statement. conformance.test.ts holds the tests without a file here, and checks that every other one exists and that no route is
// without a statement. Where the studio decided otherwise, the statement says what it does.
import type { FactTable } from '#test/support/facts/statements.ts'
import { MAKING_STATEMENTS } from './making.ts'
import { OTHER_STATEMENTS } from './others.ts'
import { READING_STATEMENTS } from './reading.ts'

/** By the method and path of the route. */
export const STATEMENTS: FactTable = { ...MAKING_STATEMENTS, ...READING_STATEMENTS, ...OTHER_STATEMENTS }
